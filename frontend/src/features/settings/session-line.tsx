import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RelativeTime } from '../../components/relative-time';
import { graphql } from '../../gql/documents';
import type { SessionRowFragment } from '../../gql/types';
import { browserOf } from './model/browser';
import classes from './settings.module.css';

graphql(`
  fragment SessionRow on Session {
    id
    address
    userAgent
    createdAt
    lastUsedAt
    current
    held
  }
`);

/** Where somebody is signed in, and what can be done about it. */
export function SessionLine({ session, children }: { session: SessionRowFragment; children: ReactNode }) {
  return (
    <div className={classes.line}>
      <div>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {browserOf(session.userAgent)}
          </Text>
          {session.current && <Badge>This one</Badge>}
          {session.held && <Badge color="yellow">Opened with an admin’s link, read-only</Badge>}
        </Group>
        <Text size="xs" c="dimmed" component="div">
          {session.address ?? 'Unknown address'} · signed in <RelativeTime at={session.createdAt} /> · used <RelativeTime at={session.lastUsedAt} />
        </Text>
      </div>
      {children}
    </div>
  );
}
