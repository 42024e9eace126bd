import { ActionButton } from '../../components/action-button';
import { Alert } from '../../components/alert';
import { describe } from '../../lib/errors';
import { useAction } from '../../lib/use-action';
import { signOut } from './model/sign-out';

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
