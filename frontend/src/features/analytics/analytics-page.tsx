import { Alert, Stack } from '@mantine/core';
import { IconHourglass } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { ErrorState } from '../../components/error-state';
import { PageHeader } from '../../components/page-header';
import { PageSkeleton } from '../../components/page-skeleton';
import { graphql } from '../../gql/documents';
import { toApiError } from '../../lib/send-exchange';
import { useLive } from '../../lib/use-live';
import { useRefresh } from '../../lib/use-refresh';
import { useUrlFilters } from '../../lib/use-url-filters';
import { useViewer } from '../../lib/use-viewer';
import { FilterBar } from './filter-bar';
import { parseFilters } from './model/filters';
import { AgentFigures } from './sections/agents';
import { Decisions } from './sections/decisions';
import { Executions } from './sections/executions';
import { Totals } from './sections/totals';
import { Usage } from './sections/usage';

const ANALYTICS = graphql(`
  query Analytics($from: DateTime, $until: DateTime, $timeZone: String, $bucket: TimeBucket, $filter: AnalyticsFilter, $people: Boolean!) {
    analytics(from: $from, until: $until, timeZone: $timeZone, bucket: $bucket, filter: $filter) {
      from
      until
      bucket
      timeZone
      complete
      checkpoints {
        ...DecisionFiguresOverTime
      }
      executions {
        ...ExecutionFiguresOverTime
      }
      agents(first: 100) {
        ...AgentFiguresRow
      }
      usage {
        ...UsageFiguresOverTime
      }
    }
  }
`);

/** Only what is counted. The figures are asked again when there are new ones, at most every few seconds. */
const CHANGES = graphql(`
  subscription AnalyticsChanges($after: String) {
    workspaceEvents(
      after: $after
      filter: {
        types: [
          CHECKPOINT_REQUESTED
          CHECKPOINT_DECIDED
          CHECKPOINT_AUTO_APPROVED
          CHECKPOINT_TIMED_OUT
          CHECKPOINT_OVERRIDDEN
          STEP_COMPLETED
          STEP_FAILED
          EXECUTION_COMPLETED
          EXECUTION_FAILED
          EXECUTION_CANCELLED
        ]
      }
    ) {
      cursor
    }
  }
`);

export function AnalyticsPage() {
  const { can } = useViewer();
  const { filters, set } = useUrlFilters(parseFilters);
  const { workflowId, agentId, by: _by, hours: _hours, ...range } = filters;
  const people = can('APPROVER');
  const filter = { ...(workflowId === null ? {} : { workflowId }), ...(agentId === null ? {} : { agentId }) };
  const [{ data, error }, ask] = useQuery({ query: ANALYTICS, variables: { ...range, filter, people } });
  const refresh = useRefresh(ask, 3_000);
  useLive(CHANGES, {}, { onEvent: refresh, onGap: refresh });
  const figures = data?.analytics;

  return (
    <>
      <PageHeader title="Analytics">How often people are asked, what they decide, how long it takes, and what it costs.</PageHeader>
      <FilterBar filters={filters} onChange={set} />
      {error && !figures && <ErrorState error={toApiError(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {!figures && !error && <PageSkeleton />}
      {figures && (
        <Stack gap="lg">
          {!figures.complete && (
            <Alert color="yellow" icon={<IconHourglass size={20} />}>
              Figures of before the last upgrade are still being counted.
            </Alert>
          )}
          <Totals figures={figures} />
          <Decisions figures={figures.checkpoints} axis={figures} by={filters.by} people={people} onBy={(by) => set({ by })} />
          <Executions figures={figures.executions} axis={figures} />
          <AgentFigures agents={figures.agents} />
          <Usage figures={figures.usage} axis={figures} />
        </Stack>
      )}
    </>
  );
}
