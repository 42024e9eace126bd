import { Button, Center, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconInbox, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface Props {
  title: string;
  /** Says what to do next. */
  children: ReactNode;
  /** 1 where the page has no other heading. */
  order?: 1 | 2;
  icon?: Icon;
  action?: ActionProps;
}

type ActionProps = { label: string; to: string } | { label: string; onClick: () => void };

/** A list with nothing in it, or a page without its subject. */
export function EmptyState({ title, children, icon: Icon = IconInbox, action, order = 2 }: Props) {
  return (
    <Center py={64} px="md">
      <Stack align="center" gap="xs" maw={420} ta="center">
        <ThemeIcon variant="light" size={56} radius="xl" mb="xs" aria-hidden>
          <Icon size={28} stroke={1.5} />
        </ThemeIcon>
        <Title order={order} size="h3">
          {title}
        </Title>
        <Text c="dimmed" size="sm" component="div">
          {children}
        </Text>
        {action && <Action {...action} />}
      </Stack>
    </Center>
  );
}

function Action(props: ActionProps) {
  if ('to' in props) {
    return (
      <Button component={Link} to={props.to} mt="sm">
        {props.label}
      </Button>
    );
  }
  return (
    <Button onClick={props.onClick} mt="sm">
      {props.label}
    </Button>
  );
}
