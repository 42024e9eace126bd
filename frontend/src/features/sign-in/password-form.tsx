import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useEffect, useRef, type ComponentProps } from 'react';
import { CodeText } from '../../lib/code-text';
import { describe } from '../../lib/errors';
import { leaveFor } from '../../lib/navigate';
import { useAction } from '../../lib/use-action';
import { FormProblem } from './form-problem';
import { signIn } from './model/sign-in';

export function PasswordForm({ next }: { next: string }) {
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
    <form onSubmit={submit}>
      <Stack>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- signing in is all that this page is for */}
        <TextInput label="E-mail" name="email" type="email" autoComplete="username" size="md" autoFocus required withAsterisk={false} />
        <PasswordInput
          label="Password"
          name="password"
          ref={password}
          autoComplete="current-password"
          size="md"
          required
          withAsterisk={false}
          aria-invalid={attempt.error !== null}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
        />
        <FormProblem>{attempt.error !== null && <CodeText>{describe(attempt.error)}</CodeText>}</FormProblem>
        <Button type="submit" size="md" loading={attempt.pending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
