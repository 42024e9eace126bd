import { useEffect, useMemo, useState } from 'react';
import type { InboxChangesSubscription, InboxQuery, InboxRowFragment } from '../../gql/types';
import { debounced } from '../../lib/debounced';
import { useConnection } from '../../lib/use-connection';
import { useLive } from '../../lib/use-live';
import { useNow } from '../../lib/use-now';
import { useViewer } from '../../lib/use-viewer';
import { CHANGES, INBOX } from './documents';
import { endOf, withDeparting, type Departing } from './model/departing';
import { toVariables, type InboxFilters } from './model/filters';
import { idsAway, type OutboxState } from './model/outbox';

const select = (data: InboxQuery) => data.checkpoints;

const LEAVES_AFTER_MS = 6_000;
/** By then the server has heard of the subscription: what happened between the first answer and that is in the second. */
const SECOND_LOOK_MS = 1_500;

/** Events after which other rows may be in the list than before; all others only change a row, which the cache does. */
const MOVES = new Set(['CheckpointRequested', 'CheckpointDecided', 'CheckpointDecisionLapsed', 'CheckpointDelegated', 'CheckpointEscalated', 'CheckpointRevised']);

/** What waits for me, live, without what I have decided here. */
export function useInbox(filters: InboxFilters, outbox: OutboxState, onNew: (description: string) => void) {
  const { viewer } = useViewer();
  const now = useNow();
  const list = useConnection(INBOX, toVariables(filters, now), select);
  const [departing, setDeparting] = useState<readonly Departing<InboxRowFragment>[]>([]);

  const reload = list.refresh;
  const refresh = useMemo(() => debounced(() => void reload(), 250), [reload]);
  useEffect(() => {
    const timer = setTimeout(refresh, SECOND_LOOK_MS);
    return () => clearTimeout(timer);
  }, [refresh]);

  const away = useMemo(() => idsAway(outbox), [outbox]);
  const { done } = outbox;
  const rows = useMemo(() => {
    const waiting = list.rows.filter(({ id, status }) => !away.has(id) && !(done.has(id) && status !== 'PENDING'));
    return withDeparting(waiting, departing);
  }, [list.rows, away, done, departing]);

  function depart(row: InboxRowFragment, told: string) {
    const index = rows.findIndex(({ id }) => id === row.id);
    if (index < 0 || departing.some((one) => one.row.id === row.id)) return;
    setDeparting((before) => [...before, { row, index, told }]);
    setTimeout(() => setDeparting((before) => before.filter((one) => one.row.id !== row.id)), LEAVES_AFTER_MS);
  }

  useLive(CHANGES, {}, {
    onEvent: ({ checkpointEvents: event }: InboxChangesSubscription) => {
      // The first of several events already shows the checkpoint as it is after all of them.
      const told = endOf(event.checkpoint.status, event.actor.displayName);
      const byMe = viewer?.user != null && event.actor.user?.id === viewer.user.id;
      if (told !== null && !byMe) depart(event.checkpoint, told);
      if (event.__typename === 'CheckpointRequested') onNew(event.checkpoint.description);
      if (told !== null || MOVES.has(event.__typename)) refresh();
    },
    onGap: refresh,
  });

  return { ...list, rows };
}
