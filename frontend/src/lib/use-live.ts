import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { useClient, type AnyVariables, type TypedDocumentNode } from 'urql';
import { pipe, subscribe } from 'wonka';
import { connection } from './client';
import type { ConnectionState } from './connection';
import type { ApiError } from './errors';
import { toApiError } from './send-exchange';

interface Options<Data> {
  /** Each event, once. What it selects is already in the cache. */
  onEvent?: (data: Data) => void;
  /**
   * The connection began, or came back, before the first event, so there is no cursor to go on from: ask again for what you show.
   * What happened between the first answer and the connection is in neither.
   */
  onGap?: () => void;
}

/** The server has to hear of the subscription before it is asked what was missed. */
const AFTER_LIVE_MS = 250;

/**
 * Follows a subscription while the component is there; with null for variables, it does not. Declare `$after` in the document
 * and select `cursor`, and a lost connection goes on where it stopped.
 */
export function useLive<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables | null,
  { onEvent, onGap }: Options<Data> = {},
): { error: ApiError | null } {
  const client = useClient();
  const [error, setError] = useState<ApiError | null>(null);
  const event = useEffectEvent((data: Data) => onEvent?.(data));
  const gap = useEffectEvent(() => onGap?.());
  const key = JSON.stringify(variables);

  useEffect(() => {
    if (key === 'null') return;
    const values = JSON.parse(key) as Variables & { after?: string | null };
    let resumable = Boolean(values.after);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stopWaiting = connection.onLive(() => {
      if (!resumable) timer = setTimeout(gap, AFTER_LIVE_MS);
    });
    const { unsubscribe } = pipe(
      client.subscription(document, values),
      subscribe(({ data, error: failure }) => {
        setError(failure ? toApiError(failure) : null);
        if (!data) return;
        resumable = true;
        event(data);
      }),
    );
    return () => {
      clearTimeout(timer);
      stopWaiting();
      unsubscribe();
    };
  }, [client, document, key]);

  return { error };
}

export function useConnectionState(): ConnectionState {
  return useSyncExternalStore(connection.subscribe, connection.state);
}
