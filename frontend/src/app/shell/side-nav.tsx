import { Anchor, Badge, Divider, Group, Stack, Text } from '@mantine/core';
import { IconApi } from '@tabler/icons-react';
import { Fragment } from 'react';
import { NavLink } from 'react-router';
import { useViewer } from '../../lib/use-viewer';
import { DESTINATIONS, INBOX, type Destination } from './navigation';
import classes from './shell.module.css';

export function SideNav({ waiting, onNavigate }: { waiting: number; onNavigate?: () => void }) {
  const { can } = useViewer();
  return (
    <Stack gap={0} h="100%" p="sm">
      {DESTINATIONS.map((group, index) => (
        <Fragment key={group[0]?.to}>
          {index > 0 && <Divider my="xs" mx="xs" color="var(--app-line)" />}
          {group
            .filter(({ role }) => role === undefined || can(role))
            .map((destination) => (
              <Item key={destination.to} destination={destination} waiting={waiting} onNavigate={onNavigate} />
            ))}
        </Fragment>
      ))}
      <Anchor href="/graphiql" className={classes.link} mt="auto" underline="never">
        <IconApi size={18} stroke={1.7} aria-hidden />
        API explorer
      </Anchor>
    </Stack>
  );
}

interface ItemProps {
  destination: Destination;
  waiting: number;
  onNavigate: (() => void) | undefined;
}

function Item({ destination: { to, label, icon: Icon }, waiting, onNavigate }: ItemProps) {
  return (
    <NavLink to={to} className={classes.link} onClick={onNavigate}>
      <Icon size={18} stroke={1.7} aria-hidden />
      <Group justify="space-between" flex={1} wrap="nowrap">
        <Text inherit span>
          {label}
        </Text>
        {to === INBOX.to && waiting > 0 && (
          <Badge size="sm" variant="filled" radius="xl" aria-label={`${waiting} waiting`}>
            {waiting > 999 ? '999+' : waiting}
          </Badge>
        )}
      </Group>
    </NavLink>
  );
}
