import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../../../gql/documents';
import { CodeText, told } from '../../../lib/code-text';
import { CommandError, describe } from '../../../lib/errors';
import { useCommand } from '../../../lib/use-command';
import { passwordProblem } from '../model/password';
import { Section } from '../section';

const CHANGE = graphql(`
  mutation ChangePassword($input: ChangePasswordInput!) {
    changePassword(input: $input) {
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function PasswordForm({ onChanged }: { onChanged: () => void }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [again, setAgain] = useState('');
  const [tried, setTried] = useState(false);
  const change = useCommand(CHANGE, { success: 'Your password is changed; your other sessions have ended', quiet: true });
  const problem = tried ? passwordProblem(next, again) : null;
  const refused = change.error instanceof CommandError ? change.error : null;

  async function submit() {
    setTried(true);
    if (passwordProblem(next, again) !== null) return;
    const payload = await change.run({ input: { newPassword: next, ...(current === '' ? {} : { currentPassword: current }) } });
    if (!payload) return;
    setCurrent('');
    setNext('');
    setAgain('');
    setTried(false);
    onChanged();
  }

  return (
    <Section title="Password" explanation="Changing it ends all your other sessions.">
      <Stack component="form" gap="sm" maw={420} onSubmit={(event) => (event.preventDefault(), void submit())}>
        <PasswordInput
          label="Current password"
          description="Leave it empty if you have none yet"
          value={current}
          onChange={({ currentTarget }) => setCurrent(currentTarget.value)}
          error={told(refused?.at('input', 'currentPassword'))}
          autoComplete="current-password"
        />
        <PasswordInput
          label="New password"
          description="At least 10 characters, hard to guess, without your name or address"
          value={next}
          onChange={({ currentTarget }) => setNext(currentTarget.value)}
          error={problem?.field === 'next' ? problem.message : told(refused?.at('input', 'newPassword'))}
          autoComplete="new-password"
        />
        <PasswordInput
          label="New password, again"
          value={again}
          onChange={({ currentTarget }) => setAgain(currentTarget.value)}
          error={problem?.field === 'again' ? problem.message : change.error && !refused ? <CodeText>{describe(change.error)}</CodeText> : null}
          autoComplete="new-password"
        />
        <Group>
          <Button type="submit" loading={change.pending} disabled={next === ''}>
            Change the password
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}
