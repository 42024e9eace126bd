import { Alert } from '../../components/alert';
import { Brand } from '../../components/brand';
import { TokenForm } from '../../components/token-form';
import { describe } from '../../lib/errors';
import { leaveFor } from '../../lib/navigate';
import { useApiToken } from '../../lib/use-stores';
import { KeptToken } from './kept-token';
import { PasswordForm } from './password-form';
import { useSignInLink, type SignInLink } from './use-sign-in-link';

export function SignInPage({ next }: { next: string }) {
  const [link, redeem] = useSignInLink(next);
  const kept = useApiToken() !== null;

  return (
    <div className="sign-in">
      <header>
        <Brand />
      </header>
      <main className="card">
        <h1>Sign in</h1>
        <p role="status" className="status">
          {link.status === 'redeeming' && (
            <>
              <span className="spinner" aria-hidden="true" /> Signing you in with your link…
            </>
          )}
        </p>
        <Alert>
          <LinkProblem link={link} onRetry={redeem} />
        </Alert>
        {link.status !== 'redeeming' && (
          <>
            {kept && <KeptToken next={next} />}
            <PasswordForm next={next} />
            <details className="other-way">
              <summary>Use an API token instead</summary>
              <TokenForm onSaved={() => leaveFor(next)} />
            </details>
          </>
        )}
      </main>
      <footer>Agents propose, people countersign.</footer>
    </div>
  );
}

function LinkProblem({ link, onRetry }: { link: SignInLink; onRetry: (token: string) => Promise<void> }) {
  if (link.status === 'refused') {
    return 'This sign-in link has already been used or has expired. Sign in with your password, or ask for a new link.';
  }
  if (link.status !== 'failed') return null;
  return (
    <>
      {describe(link.error)}{' '}
      <button type="button" className="link" onClick={() => void onRetry(link.token)}>
        Try the link again
      </button>
    </>
  );
}
