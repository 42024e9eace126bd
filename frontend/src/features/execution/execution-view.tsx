import { IconPlayerPlay } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { EmptyState } from '../../components/empty-state';
import { ErrorState } from '../../components/error-state';
import { PageSkeleton } from '../../components/page-skeleton';
import { toApiError } from '../../lib/send-exchange';
import { useRefresh } from '../../lib/use-refresh';
import { PLAN, STATE } from './execution-documents';
import { ExecutionBody } from './execution-body';
import { useRun } from './use-run';

/** A burst of events is one question about the figures. */
const BURST_MS = 200;

export function ExecutionView({ id, onRetry }: { id: string; onRetry: () => void }) {
  const variables = useMemo(() => ({ id }), [id]);
  const [plan] = useQuery({ query: PLAN, variables });
  const [state, askState] = useQuery({ query: STATE, variables });
  const refresh = useRefresh(askState, BURST_MS);
  const live = useRun(id, refresh);

  const error = plan.error ?? state.error;
  const facts = state.data?.execution;
  if (plan.data?.execution && facts?.steps) {
    return <ExecutionBody plan={plan.data.execution} state={facts} live={live} onRetry={onRetry} />;
  }
  if (error) return <ErrorState error={toApiError(error)} onRetry={onRetry} title="The execution could not be loaded" />;
  if (plan.data?.execution === null) {
    return (
      <EmptyState title="There is no such execution" order={1} icon={IconPlayerPlay} action={{ label: 'All executions', to: '/executions' }}>
        The link may be mistyped, or it belongs to another workspace.
      </EmptyState>
    );
  }
  return <PageSkeleton />;
}
