import { useId, type ComponentProps, type Ref } from 'react';
import { apiToken, cleanToken } from '../../lib/api-token';
import { ApiError, describe } from '../../lib/errors';
import { useAction } from '../../lib/use-action';
import { checkApiToken } from '../../lib/viewer';
import { ActionButton } from './action-button';
import { Alert } from './alert';

interface Props {
  /** Runs once the server has accepted the token and it is kept. */
  onSaved: () => Promise<void> | void;
  inputRef?: Ref<HTMLInputElement>;
}

export function TokenForm({ onSaved, inputRef }: Props) {
  const id = useId();
  const keep = useAction(async (form: HTMLFormElement) => {
    const token = cleanToken(String(new FormData(form).get('token') ?? ''));
    if (token === null) throw new ApiError('INVALID', 'This does not look like an API token. Paste it whole, without spaces.');
    await checkApiToken(token);
    apiToken.save(token);
    form.reset();
    await onSaved();
  });

  const submit: ComponentProps<'form'>['onSubmit'] = (event) => {
    event.preventDefault();
    void keep.run(event.currentTarget);
  };

  return (
    <form className="stack" onSubmit={submit}>
      <div className="field">
        <label htmlFor={id}>API token</label>
        <input
          id={id}
          className="input"
          ref={inputRef}
          name="token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          aria-describedby={`${id}-help`}
          aria-invalid={keep.error !== null}
        />
        <p id={`${id}-help`} className="help">
          Kept in this browser until you forget it, and used instead of your sign-in.
        </p>
      </div>
      <Alert>{keep.error !== null && describe(keep.error)}</Alert>
      <ActionButton type="submit" className="primary" pending={keep.pending} pendingLabel="Checking…">
        Use this token
      </ActionButton>
    </form>
  );
}
