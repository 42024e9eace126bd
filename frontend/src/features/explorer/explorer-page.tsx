import { lazy, Suspense } from 'react';
import { Alert } from './alert';
import { describe } from '../../lib/errors';
import { session } from '../../lib/session';
import { AccessBar } from './access-bar';
import { useAccess } from './use-access';

// The editor is large: who has to sign in first should not wait for it.
const Explorer = lazy(() => import('./explorer'));

export function ExplorerPage() {
  const access = useAccess();

  return (
    <div className="explorer">
      <AccessBar access={access} />
      <main>
        {access.status === 'granted' ? (
          <Suspense fallback={<Waiting>Loading the editor…</Waiting>}>
            {/* Another identity starts afresh: its own schema, and nothing of the other's answers. */}
            <Explorer key={access.identity} />
          </Suspense>
        ) : (
          <>
            {access.status === 'checking' && <Waiting>Looking for your session…</Waiting>}
            {access.status === 'leaving' && <Waiting>Taking you to the sign-in page…</Waiting>}
            <Alert>{access.status === 'failed' && <Failed error={access.error} />}</Alert>
          </>
        )}
      </main>
    </div>
  );
}

function Waiting({ children }: { children: string }) {
  return (
    <p role="status" className="waiting">
      <span className="spinner" aria-hidden="true" /> {children}
    </p>
  );
}

function Failed({ error }: { error: unknown }) {
  return (
    <>
      {describe(error)}{' '}
      <button type="button" className="link" onClick={() => void session.start()}>
        Try again
      </button>
    </>
  );
}
