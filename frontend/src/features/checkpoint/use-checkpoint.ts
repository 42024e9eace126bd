import { useState } from 'react';
import { useQuery } from 'urql';
import type { CheckpointQuery } from '../../gql/types';
import { hasCode } from '../../lib/errors';
import { toApiError } from '../../lib/send-exchange';
import { useLive } from '../../lib/use-live';
import { useRefresh } from '../../lib/use-refresh';
import { CHECKPOINT, HAPPENINGS } from './documents';

export type Checkpoint = NonNullable<CheckpointQuery['checkpoint']>;

/** One checkpoint, live. Never from the cache alone: a list may have brought a newer digest than the proposal that is kept. */
export function useCheckpoint(id: string) {
  const [{ data, error, fetching }, ask] = useQuery({ query: CHECKPOINT, variables: { id }, requestPolicy: 'network-only' });
  const refresh = useRefresh(ask, 60);

  // The stream begins where the first answer ends: whatever happens in between is told.
  const checkpoint = data?.checkpoint?.id === id ? data.checkpoint : null;
  const [start, setStart] = useState<{ id: string; after: string | null } | null>(null);
  if (checkpoint && start?.id !== id) setStart({ id, after: checkpoint.execution.events.pageInfo.endCursor });
  useLive(HAPPENINGS, start?.id === id ? start : null, { onEvent: refresh, onGap: refresh });

  const problem = error ? toApiError(error) : null;
  return {
    checkpoint,
    // What cannot be an id is nothing's id.
    missing: (data?.checkpoint === null && !fetching) || hasCode(problem, 'BAD_USER_INPUT'),
    error: problem,
    refresh,
  };
}
