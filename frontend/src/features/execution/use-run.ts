import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react';
import { useClient } from 'urql';
import { graphql } from '../../gql/documents';
import { ApiError } from '../../lib/errors';
import { toApiError } from '../../lib/send-exchange';
import { useLive } from '../../lib/use-live';
import { createEventStore } from './model/event-store';
import { readHistory } from './model/history';
import { runOf } from './model/run';
import type { RunEvent } from './run-event';

const HISTORY = graphql(`
  query RunHistory($id: ID!, $after: String) {
    execution(id: $id) {
      id
      events(first: 100, after: $after) {
        nodes {
          ...RunEvent
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

/** The state of the whole comes along with each event, so that it is never behind its steps. */
const STREAM = graphql(`
  subscription RunStream($id: ID!, $after: String) {
    executionEvents(executionId: $id, after: $after) {
      ...RunEvent
      execution {
        id
        status
        completionReason
        startedAt
        finishedAt
        pendingCheckpoints
        progress {
          done
          total
          percent
        }
      }
    }
  }
`);

/**
 * One execution, live: its history page by page, then the stream from the history's last cursor on. Both end in the same store,
 * from which everything is derived. `onChange` hears of what changes more than a log line does, and of the end of the history:
 * what else was asked for meanwhile may be older than that.
 */
export function useRun(id: string, onChange: () => void) {
  const client = useClient();
  const store = useMemo(() => createEventStore<RunEvent>(), []);
  const [cursor, setCursor] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);

  const changed = useEffectEvent(onChange);

  useEffect(() => {
    const leaving = new AbortController();
    async function page(after: string | null) {
      const { data, error: failure } = await client.query(HISTORY, { id, after }, { requestPolicy: 'network-only' }).toPromise();
      if (!data?.execution) throw failure ? toApiError(failure) : new ApiError('NOT_FOUND', 'There is no such execution.');
      return data.execution.events;
    }
    async function read() {
      try {
        setCursor(await readHistory<RunEvent>(page, store.add, leaving.signal));
        if (!leaving.signal.aborted) changed();
      } catch (cause) {
        setError(cause);
      }
    }
    void read();
    return () => leaving.abort();
  }, [client, id, store]);

  const live = useLive(STREAM, cursor === null ? null : { id, after: cursor }, {
    onEvent: ({ executionEvents: event }) => {
      store.add([event]);
      if (event.__typename !== 'StepLogged' && event.__typename !== 'StepProgressed') onChange();
    },
  });

  const events = useSyncExternalStore(store.subscribe, store.events);
  const run = useMemo(() => runOf(events), [events]);
  return { events, run, error: error ?? live.error };
}

export type LiveRun = ReturnType<typeof useRun>;
