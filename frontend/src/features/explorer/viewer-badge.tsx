import { Alert } from './alert';
import { describe, hasCode } from '../../lib/errors';
import type { Access } from './use-access';
import { useViewer } from './use-viewer';

type By = Extract<Access, { status: 'granted' }>['by'];

export function ViewerBadge({ by }: { by: By }) {
  const [state, retry] = useViewer();

  return (
    <div className="viewer">
      {state.status === 'loading' && <span role="status">Checking who you are…</span>}
      {state.status === 'loaded' && (
        <>
          {by === 'api-token' && <span className="tag">API token</span>}
          <span className="viewer-name">{state.viewer.displayName}</span>
          <span className="viewer-workspace" title={state.viewer.workspace.slug}>
            {state.viewer.workspace.name}
          </span>
          <span className="viewer-roles">{state.viewer.roles.map(roleName).join(', ')}</span>
        </>
      )}
      <Alert>{state.status === 'failed' && <Problem error={state.error} by={by} onRetry={retry} />}</Alert>
    </div>
  );
}

function Problem({ error, by, onRetry }: { error: unknown; by: By; onRetry: () => void }) {
  if (by === 'api-token' && hasCode(error, 'UNAUTHENTICATED')) return 'The server no longer accepts this API token.';
  return (
    <>
      {describe(error)}{' '}
      <button type="button" className="link" onClick={onRetry}>
        Try again
      </button>
    </>
  );
}

/** `WORKSPACE_ADMIN` as people write it. */
function roleName(role: string): string {
  return role.toLowerCase().replaceAll('_', ' ');
}
