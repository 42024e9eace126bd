import { useEffect, useId, useRef, type ComponentProps } from 'react';
import { ActionButton } from '../../components/action-button';
import { Alert } from '../../components/alert';
import { describe } from '../../lib/errors';
import { leaveFor } from '../../lib/navigate';
import { useAction } from '../../lib/use-action';
import { signIn } from './model/sign-in';

export function PasswordForm({ next }: { next: string }) {
  const id = useId();
  const password = useRef<HTMLInputElement>(null);
  const attempt = useAction(async (form: FormData) => {
    await signIn(String(form.get('email') ?? '').trim(), String(form.get('password') ?? ''));
    await leaveFor(next);
  });

  // The password is what was most likely mistyped.
  useEffect(() => {
    if (attempt.error !== null) password.current?.select();
  }, [attempt.error]);

  const submit: ComponentProps<'form'>['onSubmit'] = (event) => {
    event.preventDefault();
    void attempt.run(new FormData(event.currentTarget));
  };

  return (
    <form className="stack" onSubmit={submit}>
      <div className="field">
        <label htmlFor={`${id}-email`}>E-mail</label>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- signing in is all that this page is for */}
        <input id={`${id}-email`} className="input" name="email" type="email" autoComplete="username" autoFocus required />
      </div>
      <div className="field">
        <label htmlFor={`${id}-password`}>Password</label>
        <input
          id={`${id}-password`}
          className="input"
          ref={password}
          name="password"
          type="password"
          autoComplete="current-password"
          required
          aria-invalid={attempt.error !== null}
        />
      </div>
      <Alert>{attempt.error !== null && describe(attempt.error)}</Alert>
      <ActionButton type="submit" className="primary" pending={attempt.pending} pendingLabel="Signing in…">
        Sign in
      </ActionButton>
    </form>
  );
}
