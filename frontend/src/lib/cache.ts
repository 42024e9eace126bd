import { cacheExchange, type Cache, type OptimisticMutationConfig, type Resolver, type Variables } from '@urql/exchange-graphcache';
import { EMBEDDED_TYPES, POSSIBLE_TYPES } from '../gql/schema';

/*
 * The normalised cache. What has a global id is stored once, so an event, a mutation's payload and a query that tell of the same
 * checkpoint all change the same record, and every page that shows it follows. Everything else belongs to its parent.
 *
 * Optimistic results live in a layer of their own, which is thrown away when the answer arrives, whatever the answer is: a
 * refusal by `userErrors` and a failure both leave the truth behind. Payloads carry the object as it is now also with a refusal.
 */

/** The cache tells no more of a mutation's arguments than that they are some. */
const checkpointIdOf = (args: Variables) => (args as unknown as { input: { checkpointId: string } }).input.checkpointId;

/** The state that a checkpoint will have if the server agrees; one approval of several needed decides nothing yet. */
function decided(cache: Cache, id: string, verdict: 'APPROVED' | 'REJECTED') {
  const key = { __typename: 'Checkpoint', id };
  const approvals = Number(cache.resolve(key, 'approvals') ?? 0) + 1;
  const needed = Number(cache.resolve(key, 'approvalsNeeded') ?? 1);
  const final = verdict === 'REJECTED' || approvals >= needed;
  return {
    ...key,
    ...(final ? { status: verdict } : {}),
    ...(verdict === 'APPROVED' ? { approvals } : {}),
    viewerCanDecide: false,
  };
}

const optimistic: OptimisticMutationConfig = {
  approveCheckpoint: (args, cache) => ({
    __typename: 'ApproveCheckpointPayload',
    checkpoint: decided(cache, checkpointIdOf(args), 'APPROVED'),
    difference: [],
    userErrors: [],
  }),
  rejectCheckpoint: (args, cache) => ({
    __typename: 'RejectCheckpointPayload',
    checkpoint: decided(cache, checkpointIdOf(args), 'REJECTED'),
    difference: [],
    userErrors: [],
  }),
};

/**
 * Objects that a page can ask for by id: found in the cache if a list has already brought what the page wants. What the server has
 * said is not there is not there; a key for it would look like something that is still to be loaded.
 */
const byId = (typename: string): Resolver => (_, args, cache, { fieldName }) =>
  cache.resolve('Query', fieldName, args) === null ? null : { __typename: typename, id: args['id'] };

export function createCache() {
  return cacheExchange({
    keys: Object.fromEntries(EMBEDDED_TYPES.map((typename) => [typename, () => null])),
    possibleTypes: POSSIBLE_TYPES,
    resolvers: {
      Query: {
        checkpoint: byId('Checkpoint'),
        execution: byId('Execution'),
        deliverable: byId('Deliverable'),
      },
    },
    optimistic,
  });
}
