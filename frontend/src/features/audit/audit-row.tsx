import { Group, Text } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import type { Column } from '../../components/data-list';
import { RelativeTime } from '../../components/relative-time';
import { Tag } from '../../components/tag';
import { graphql } from '../../gql/documents';
import type { AuditRowFragment } from '../../gql/types';
import { words } from '../../lib/format';
import { Plain } from '../../lib/plain';
import { changed } from '../../lib/use-url-filters';
import classes from './audit.module.css';
import { toneOf } from './model/tone';

graphql(`
  fragment AuditRow on AuditEntry {
    id
    sequence
    at
    action
    actorName
    subjectId
    address
    actor {
      kind
      displayName
    }
    onBehalfOf {
      id
      displayName
    }
    execution {
      id
    }
  }
`);

type Row = AuditRowFragment;

export const COLUMNS: Column<Row>[] = [
  { key: 'number', header: 'No.', width: '84px', align: 'end', cell: ({ sequence }) => <span className={classes.number}>{sequence}</span> },
  { key: 'action', header: 'What', width: 'minmax(0, 1fr)', cell: (row) => <Action row={row} /> },
  { key: 'who', header: 'Who', width: 'minmax(0, 1fr)', cell: (row) => <Who row={row} /> },
  { key: 'from', header: 'From', width: '150px', cell: ({ address }) => address ?? '–' },
  { key: 'when', header: 'When', width: '150px', cell: ({ at }) => <RelativeTime at={at} /> },
];

export function AuditCard({ row }: { row: Row }) {
  return (
    <>
      <Group justify="space-between" wrap="nowrap">
        <Action row={row} />
        <Text size="xs" c="dimmed">
          {row.sequence}
        </Text>
      </Group>
      <Text size="xs" c="dimmed" component="div" mt={4}>
        <Who row={row} /> · <RelativeTime at={row.at} />
      </Text>
    </>
  );
}

/** Opens the entry; the filters stay in the address. */
function Action({ row }: { row: Row }) {
  const { search } = useLocation();
  const label = row.action === null ? 'Something newer than this page' : words(row.action);
  return (
    <Link to={`?${changed(new URLSearchParams(search), { entry: row.id })}`} preventScrollReset className={classes.action}>
      <Tag color={toneOf(row.action)}>{label}</Tag>
    </Link>
  );
}

function Who({ row }: { row: Row }) {
  const name = row.actorName ?? row.actor.displayName ?? (row.actor.kind === 'SYSTEM' ? 'The server' : 'Somebody who was erased');
  return (
    <>
      <Plain>{name}</Plain>
      {row.actor.kind === 'API_TOKEN' && ' (API token)'}
      {row.onBehalfOf && <> for <Plain>{row.onBehalfOf.displayName}</Plain></>}
    </>
  );
}
