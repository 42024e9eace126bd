import { Card, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Column } from '../../components/data-list';
import { DeliverableIcon } from '../../components/deliverable-icon';
import { RelativeTime } from '../../components/relative-time';
import { StatusBadge } from '../../components/status-badge';
import { graphql } from '../../gql/documents';
import type { DeliverableRowFragment } from '../../gql/types';
import { words } from '../../lib/format';
import { Plain } from '../../lib/plain';
import classes from './deliverables.module.css';
import type { Line } from './model/group';

graphql(`
  fragment DeliverableRow on Deliverable {
    id
    name
    description
    type
    status
    versionNumber
    updatedAt
    agent {
      id
      name
    }
    execution {
      ...DeliverableExecution
    }
  }
`);

type Row = DeliverableRowFragment;
type ListLine = Line<Row>;

const cell = (show: (row: Row) => React.ReactNode) => (line: ListLine) => (line.kind === 'row' ? show(line.row) : null);

export const COLUMNS: Column<ListLine>[] = [
  { key: 'name', header: 'Deliverable', width: 'minmax(0, 1fr)', cell: cell((row) => <Name row={row} />) },
  { key: 'type', header: 'Type', width: '110px', cell: cell(({ type }) => words(type)) },
  { key: 'status', header: 'Status', width: '120px', cell: cell(({ status }) => <StatusBadge of="deliverable" status={status} />) },
  { key: 'version', header: 'Version', width: '90px', align: 'end', cell: cell(({ versionNumber }) => versionNumber) },
  { key: 'agent', header: 'Agent', width: '150px', cell: cell(({ agent }) => agent?.name ?? '–') },
  { key: 'changed', header: 'Changed', width: '150px', cell: cell(({ updatedAt }) => <RelativeTime at={updatedAt} />) },
];

function Name({ row }: { row: Row }) {
  return (
    <div className={classes.name}>
      <DeliverableIcon type={row.type} />
      <div>
        <Link to={`/deliverables/${row.id}`}><Plain>{row.name}</Plain></Link>
        {row.description !== '' && <div className={classes.description}>{row.description}</div>}
      </div>
    </div>
  );
}

export function DeliverableCard({ row }: { row: Row }) {
  return (
    <Card padding="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Name row={row} />
        <StatusBadge of="deliverable" status={row.status} />
      </Group>
      <Text size="xs" c="dimmed" component="div" mt={6}>
        {[words(row.type), `version ${row.versionNumber}`, row.agent?.name].filter(Boolean).join(' · ')} · <RelativeTime at={row.updatedAt} />
      </Text>
    </Card>
  );
}
