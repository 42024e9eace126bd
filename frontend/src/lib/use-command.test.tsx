// @vitest-environment happy-dom
import { gql, type TypedDocumentNode } from '@urql/core';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fakeClient } from '../testing/fake-client';
import { render } from '../testing/render';
import { CommandError } from './errors';
import type { Answer } from './graphql';
import * as notify from './notify';
import { useCommand } from './use-command';

interface Data {
  pauseExecution: { userErrors: readonly { code: string; message: string; path: readonly string[] }[] };
}

const PAUSE: TypedDocumentNode<Data, { input: { executionId: string } }> = gql(
  'mutation Pause($input: PauseExecutionInput!) { pauseExecution(input: $input) { userErrors { code message path } } }',
);

const answer = (userErrors: object[]): Answer => ({
  data: { __typename: 'Mutation', pauseExecution: { __typename: 'PauseExecutionPayload', userErrors } },
});

function Button({ onDone, quiet }: { onDone: (payload: unknown) => void; quiet: boolean }) {
  const pause = useCommand(PAUSE, { quiet, success: 'Paused' });
  const field = pause.error instanceof CommandError ? pause.error.at('input', 'executionId') : '';
  return (
    <>
      <button type="button" onClick={async () => onDone(await pause.run({ input: { executionId: 'exec_1' } }))}>
        {pause.pending ? 'Pausing…' : 'Pause'}
      </button>
      <output>{field}</output>
    </>
  );
}

async function press(respond: () => Answer | Promise<Answer>, quiet = false) {
  const failure = vi.spyOn(notify, 'showFailure').mockImplementation(() => {});
  const success = vi.spyOn(notify, 'showSuccess').mockImplementation(() => {});
  const done = vi.fn();
  render(<Button onDone={done} quiet={quiet} />, { client: fakeClient(respond) });
  await userEvent.click(screen.getByRole('button'));
  await vi.waitFor(() => expect(done).toHaveBeenCalled());
  return { failure, success, done };
}

test('gives the payload and says that it worked', async () => {
  const { done, success, failure } = await press(() => answer([]));
  expect(done).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ userErrors: [] }));
  expect(success).toHaveBeenCalledWith('Paused');
  expect(failure).not.toHaveBeenCalled();
});

test('a refusal is told beside the field and in a toast', async () => {
  const { done, failure } = await press(() => answer([{ __typename: 'UserError', code: 'CONFLICT', message: 'it has ended', path: ['input', 'executionId'] }]));
  expect(done).toHaveBeenCalledExactlyOnceWith(null);
  expect(failure).toHaveBeenCalledExactlyOnceWith('It has ended.');
  expect(screen.getByRole('status').textContent).toBe('it has ended');
});

test('who shows failures itself gets no toast', async () => {
  const { failure } = await press(() => ({ errors: [{ message: 'this needs the role OPERATOR', extensions: { code: 'FORBIDDEN' } }] }), true);
  expect(failure).not.toHaveBeenCalled();
});
