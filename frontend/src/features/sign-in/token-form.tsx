import { Button, PasswordInput, Stack } from '@mantine/core';
import type { ComponentProps } from 'react';
import { apiToken, cleanToken } from '../../lib/api-token';
import { CodeText } from '../../lib/code-text';
import { ApiError, describe } from '../../lib/errors';
import { leaveFor } from '../../lib/navigate';
import { useAction } from '../../lib/use-action';
import { checkApiToken } from '../../lib/viewer';
import { FormProblem } from './form-problem';

export function TokenForm({ next }: { next: string }) {
  const keep = useAction(async (form: FormData) => {
    const token = cleanToken(String(form.get('token') ?? ''));
    if (token === null) throw new ApiError('INVALID', 'This does not look like an API token. Paste it whole, without spaces.');
    await checkApiToken(token);
    apiToken.save(token);
    await leaveFor(next);
  });

  const submit: ComponentProps<'form'>['onSubmit'] = (event) => {
    event.preventDefault();
    void keep.run(new FormData(event.currentTarget));
  };

  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label="API token"
          description="Kept in this browser until you forget it, and used instead of your sign-in."
          name="token"
          autoComplete="off"
          spellCheck={false}
          size="md"
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the token' }}
          aria-invalid={keep.error !== null}
        />
        <FormProblem>{keep.error !== null && <CodeText>{describe(keep.error)}</CodeText>}</FormProblem>
        <Button type="submit" size="md" loading={keep.pending}>
          Use this token
        </Button>
      </Stack>
    </form>
  );
}
