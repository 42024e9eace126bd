import { Anchor, Box, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { RelativeTime } from '../../components/relative-time';
import { StatusBadge } from '../../components/status-badge';
import { graphql } from '../../gql/documents';
import type { ExecutionOriginKind, ExecutionStatus } from '../../gql/enums';
import { AsideCard, More } from './aside-card';
import type { Plan, State } from './execution-documents';

graphql(`
  fragment Continuation on Execution {
    id
    status
    createdAt
    originKind
    originStep
  }
`);

const FROM: Record<ExecutionOriginKind, string> = { RETRY: 'Runs again what', RESUME: 'Resumes what', FORK: 'Goes another way than what' };
const TO: Record<ExecutionOriginKind, string> = { RETRY: 'Retried', RESUME: 'Resumed from the failure', FORK: 'Forked' };

/** The executions that this one came from, and that came from it. */
export function RunLineage({ plan, state }: { plan: Plan; state: State }) {
  const { origin, originKind, originStep } = plan;
  const { nodes, totalCount } = state.continuations;
  const at = (step: string | null | undefined) => (step ? `, from ${step} on` : '');
  return (
    <AsideCard title="Related executions" none="It came from no other, and none came from it.">
      {[
        ...(origin && originKind
          ? [<Relative key={origin.id} {...origin} label={`${FROM[originKind]} ran before${at(originStep)}`} />]
          : []),
        ...nodes.map((next) => <Relative key={next.id} {...next} label={`${TO[next.originKind ?? 'RETRY']}${at(next.originStep)}`} />),
        ...(totalCount > nodes.length ? [<More key="more" to={`/executions?origin=${plan.id}`}>{`and ${totalCount - nodes.length} more`}</More>] : []),
      ]}
    </AsideCard>
  );
}

function Relative({ id, status, createdAt, label }: { id: string; status: ExecutionStatus; createdAt: string; label: string }) {
  return (
    <Box py={6}>
      <Anchor component={Link} to={`/executions/${id}`} size="sm" fw={600}>
        {label}
      </Anchor>
      <Group gap="xs" mt={4} justify="space-between">
        <StatusBadge of="execution" status={status} />
        <Text size="xs" c="dimmed" component="span">
          <RelativeTime at={createdAt} />
        </Text>
      </Group>
    </Box>
  );
}
