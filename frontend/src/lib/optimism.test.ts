import { gql } from '@urql/core';
import { pipe, subscribe } from 'wonka';
import { expect, test, vi } from 'vitest';
import { fakeClient } from '../testing/fake-client';
import type { Answer, Operation } from './graphql';
import { toApiError } from './send-exchange';
import { refusalOf } from './use-command';

const CHECKPOINT = gql('query Checkpoint { checkpoint(id: "chk_1") { id status approvals approvalsNeeded viewerCanDecide } }');
const APPROVE = gql(
  'mutation Approve($input: ApproveCheckpointInput!) { approveCheckpoint(input: $input) { checkpoint { id status approvals approvalsNeeded viewerCanDecide } userErrors { code message path } } }',
);

const checkpoint = (fields: object) => ({
  __typename: 'Checkpoint',
  id: 'chk_1',
  status: 'PENDING',
  approvals: 0,
  approvalsNeeded: 1,
  viewerCanDecide: true,
  ...fields,
});

/** Looks at a checkpoint, approves it, and tells each state that was seen on the way. */
async function approve(answer: () => Answer, before: object = {}) {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const client = fakeClient(async ({ query }: Operation) => {
    if (!query.includes('mutation')) return { data: { __typename: 'Query', checkpoint: checkpoint(before) } };
    await held;
    return answer();
  });
  const seen: string[] = [];
  pipe(
    client.query(CHECKPOINT, {}),
    subscribe(({ data }) => data?.checkpoint && seen.push(`${data.checkpoint.status} ${data.checkpoint.approvals}`)),
  );
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  const result = client.mutation(APPROVE, { input: { checkpointId: 'chk_1', digest: 'd' } }).toPromise();
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(1));
  release();
  const outcome = await result;
  await new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
  return { seen, outcome };
}

const payload = (fields: object) => ({
  data: { __typename: 'Mutation', approveCheckpoint: { __typename: 'ApproveCheckpointPayload', userErrors: [], ...fields } },
});

test('an approval shows at once and stays', async () => {
  const { seen } = await approve(() => payload({ checkpoint: checkpoint({ status: 'APPROVED', approvals: 1, viewerCanDecide: false }) }));
  expect(seen).toEqual(['PENDING 0', 'APPROVED 1', 'APPROVED 1']);
});

test('a refusal by userErrors is rolled back to what the server says', async () => {
  const userErrors = [{ __typename: 'UserError', code: 'STALE', message: 'the proposal has changed', path: ['input', 'digest'] }];
  const { seen, outcome } = await approve(() => payload({ checkpoint: checkpoint({}), userErrors }));
  expect(seen[1]).toBe('APPROVED 1');
  expect(seen.at(-1)).toBe('PENDING 0');
  expect(refusalOf(outcome.data)).toMatchObject({ code: 'STALE', message: 'the proposal has changed' });
});

test('a refusal without the object is rolled back too', async () => {
  const userErrors = [{ __typename: 'UserError', code: 'NOT_FOUND', message: 'no such checkpoint', path: [] }];
  const { seen } = await approve(() => payload({ checkpoint: null, userErrors }));
  expect(seen.at(-1)).toBe('PENDING 0');
});

test.each([
  ['an error of the server', () => ({ data: null, errors: [{ message: 'no', extensions: { code: 'FORBIDDEN' } }] }), 'FORBIDDEN'],
  [
    'a server that is away',
    () => {
      throw new Error('gone');
    },
    'UNREACHABLE',
  ],
])('%s rolls it back', async (_, answer, code) => {
  const { seen, outcome } = await approve(answer);
  expect(seen[1]).toBe('APPROVED 1');
  expect(seen.at(-1)).toBe('PENDING 0');
  expect(outcome.error && toApiError(outcome.error).code).toBe(code);
});

test('one approval of two needed decides nothing yet', async () => {
  const { seen } = await approve(() => payload({ checkpoint: checkpoint({ approvals: 1, approvalsNeeded: 2 }) }), { approvalsNeeded: 2 });
  expect(seen[1]).toBe('PENDING 1');
});
