import { Anchor, Card, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

interface Props {
  title: string;
  /** Beside the title. */
  action?: ReactNode;
  /** Said when there is nothing. */
  none: string;
  children: ReactNode[];
}

export function AsideCard({ title, action, none, children }: Props) {
  return (
    <Card component="section" aria-label={title}>
      <Group justify="space-between" mb={children.length > 0 ? 'xs' : 4}>
        <Title order={2} size="sm">{title}</Title>
        {action}
      </Group>
      {children.length > 0 ? children : <Text size="sm" c="dimmed">{none}</Text>}
    </Card>
  );
}

/** Leads to the list that has what there is no room for here. */
export function More({ to, children }: { to: string; children: string }) {
  return (
    <Anchor component={Link} to={to} size="sm" display="block" py={6}>
      {children}
    </Anchor>
  );
}
