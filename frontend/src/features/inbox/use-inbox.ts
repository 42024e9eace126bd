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

const select = (data: InboxQuery) => data.checkpoints;

const LEAVES_AFTER_MS = 6_000;
/** By then the server has heard of the subscription: what happened between the first answer and that is in the second. */
const SECOND_LOOK_MS = 1_500;

/** Events after which other rows may be in the list than before; all others only change a row, which the cache does. */
const MOVES = new Set(['CheckpointRequested', 'CheckpointDecided', 'CheckpointDecisionLapsed', 'CheckpointDelegated', 'CheckpointEscalated', 'CheckpointRevised']);

/** What waits for me, live. `away` are those whose decision is under way. */
export function useInbox(filters: InboxFilters, away: ReadonlySet<string>, onNew: (description: string) => void) {
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

  const waiting = list.rows.filter(({ id, status }) => status === 'PENDING' && !away.has(id));
  const rows = withDeparting(waiting, departing);

  function depart(row: InboxRowFragment, told: string) {
    const index = rows.findIndex(({ id }) => id === row.id);
    if (index < 0) return;
    setDeparting((before) => [...before.filter((one) => one.row.id !== row.id), { row, index, told }]);
    setTimeout(() => setDeparting((before) => before.filter((one) => one.row.id !== row.id)), LEAVES_AFTER_MS);
  }

  useLive(CHANGES, {}, {
    onEvent: ({ checkpointEvents: event }: InboxChangesSubscription) => {
      const told = endOf(event.__typename, event.actor.displayName);
      const byMe = viewer?.user != null && event.actor.user?.id === viewer.user.id;
      if (told !== null && !byMe) depart(event.checkpoint, told);
      if (event.__typename === 'CheckpointRequested') onNew(event.checkpoint.description);
      if (told !== null || MOVES.has(event.__typename)) refresh();
    },
    onGap: refresh,
  });

  return { ...list, rows };
}
