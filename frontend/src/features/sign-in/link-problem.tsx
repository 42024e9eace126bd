import { Anchor } from '@mantine/core';
import { CodeText } from '../../lib/code-text';
import { describe } from '../../lib/errors';
import type { SignInLink } from './use-sign-in-link';

export function LinkProblem({ link, onRetry }: { link: SignInLink; onRetry: (token: string) => Promise<void> }) {
  if (link.status === 'refused') {
    return 'This sign-in link has already been used or has expired. Sign in with your password, or ask for a new link.';
  }
  if (link.status !== 'failed') return null;
  return (
    <>
      <CodeText>{describe(link.error)}</CodeText>{' '}
      <Anchor component="button" type="button" inherit c="inherit" underline="always" onClick={() => void onRetry(link.token)}>
        Try the link again
      </Anchor>
    </>
  );
}
