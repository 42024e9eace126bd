import type { CombinedError } from 'urql';
import { EmptyState } from '../../components/empty-state';
import { ErrorState } from '../../components/error-state';
import { apiToken } from '../../lib/api-token';
import { hasCode } from '../../lib/errors';
import { toApiError } from '../../lib/send-exchange';
import { useApiToken } from '../../lib/use-stores';

/** Nothing can be shown to somebody whom the server does not know: a session renews itself, a pasted API token cannot. */
export function AccessProblem({ error, onRetry }: { error: CombinedError; onRetry: () => void }) {
  const problem = toApiError(error);
  const byToken = useApiToken() !== null;
  if (!byToken || !hasCode(problem, 'UNAUTHENTICATED')) return <ErrorState error={problem} onRetry={onRetry} />;
  return (
    <EmptyState
      order={1}
      title="This API token no longer works"
      action={{ label: 'Forget it and sign in', onClick: apiToken.forget }}
    >
      It has expired or was revoked. Ask for a new one, or sign in with your account.
    </EmptyState>
  );
}
