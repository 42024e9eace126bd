import { ActionButton } from './action-button';
import { Alert } from './alert';
import { describe } from '../../lib/errors';
import { useAction } from '../../lib/use-action';
import { signOut } from '../../lib/sign-out';

export function SignOutButton() {
  const leave = useAction(signOut);

  return (
    <>
      <Alert>{leave.error !== null && describe(leave.error)}</Alert>
      <ActionButton pending={leave.pending} pendingLabel="Signing out…" onClick={() => void leave.run()}>
        Sign out
      </ActionButton>
    </>
  );
}
