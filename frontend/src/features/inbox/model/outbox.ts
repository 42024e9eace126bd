/*
 * Decisions between the key and the server. Each is held for a few seconds, in which it can be taken back as if it had never been
 * made, and sent at once when the page is left. What the server refuses comes back as a failure, with the reason.
 */

export interface Decision {
  readonly checkpointId: string;
  /** Of what was to be seen when it was decided. */
  readonly digest: string;
  readonly description: string;
  readonly verdict: 'APPROVE' | 'REJECT';
  readonly reason: string | null;
}

export interface Failure {
  readonly decision: Decision;
  readonly message: string;
}

/** Decisions that were made together: they are taken back together, too. */
export interface Parcel {
  readonly id: number;
  readonly decisions: readonly Decision[];
  readonly state: 'held' | 'sending';
}

export interface OutboxState {
  readonly parcels: readonly Parcel[];
  readonly failures: readonly Failure[];
  /** The checkpoints whose decision the server took. */
  readonly done: ReadonlySet<string>;
}

interface OutboxDeps {
  /** Resolves with those that did not work, and never rejects. */
  send: (decisions: readonly Decision[]) => Promise<readonly Failure[]>;
  holdMs: number;
  /** Told when a parcel can no longer be taken back, and when it is done. */
  onSending?: (parcel: Parcel) => void;
  onDone?: (parcel: Parcel, failures: readonly Failure[]) => void;
}

export function createOutbox({ send, holdMs, onSending, onDone }: OutboxDeps) {
  let state: OutboxState = { parcels: [], failures: [], done: new Set() };
  let next = 1;
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const undone = new Set<number>();
  const listeners = new Set<() => void>();

  function become(change: Partial<OutboxState>) {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  }

  const held = (id: number) => state.parcels.find((parcel) => parcel.id === id && parcel.state === 'held');

  /** Makes sure that a parcel is sent no later, and gives it back if it is still held. */
  function take(id: number): Parcel | undefined {
    clearTimeout(timers.get(id));
    timers.delete(id);
    return held(id);
  }

  async function dispatch(id: number): Promise<void> {
    const parcel = take(id);
    if (!parcel) return;
    become({ parcels: state.parcels.map((one) => (one.id === id ? { ...one, state: 'sending' } : one)) });
    onSending?.(parcel);
    const failures = await send(parcel.decisions);
    const refused = new Set(failures.map(({ decision }) => decision.checkpointId));
    const taken = parcel.decisions.map(({ checkpointId }) => checkpointId).filter((one) => !refused.has(one));
    become({
      parcels: state.parcels.filter((one) => one.id !== id),
      failures: [...state.failures, ...failures],
      done: new Set([...state.done, ...taken]),
    });
    onDone?.(parcel, failures);
  }

  return {
    state: () => state,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** What has been decided already, here and a moment ago, is not decided twice. */
    hold(decisions: readonly Decision[]): Parcel | null {
      const away = idsAway(state);
      const fresh = decisions.filter(({ checkpointId }) => !away.has(checkpointId));
      if (fresh.length === 0) return null;
      const parcel: Parcel = { id: next, decisions: fresh, state: 'held' };
      next += 1;
      const again = new Set(fresh.map(({ checkpointId }) => checkpointId));
      become({
        parcels: [...state.parcels, parcel],
        failures: state.failures.filter(({ decision }) => !again.has(decision.checkpointId)),
      });
      timers.set(parcel.id, setTimeout(() => void dispatch(parcel.id), holdMs));
      return parcel;
    },

    /** False when it is too late. What has been taken back already stays so: a second click is no other wish. */
    undo(id: number): boolean {
      if (undone.has(id)) return true;
      if (!take(id)) return false;
      undone.add(id);
      become({ parcels: state.parcels.filter((one) => one.id !== id) });
      return true;
    },

    /** Sends everything that is held, now. */
    flush(): void {
      for (const { id, state: where } of state.parcels) if (where === 'held') void dispatch(id);
    },

    dismiss(): void {
      become({ failures: [] });
    },
  };
}

export type Outbox = ReturnType<typeof createOutbox>;

/** The checkpoints whose decision is under way: a list need not show them. */
export function idsAway({ parcels }: OutboxState): ReadonlySet<string> {
  return new Set(parcels.flatMap(({ decisions }) => decisions.map(({ checkpointId }) => checkpointId)));
}

/** "Approving “Refund 12.00 to Ada”", "Rejecting 12 checkpoints". */
export function parcelTitle({ decisions }: Parcel): string {
  const [first] = decisions;
  const verb = first?.verdict === 'REJECT' ? 'Rejecting' : 'Approving';
  if (decisions.length !== 1 || !first) return `${verb} ${decisions.length} checkpoints`;
  const text = first.description.length > 90 ? `${first.description.slice(0, 90).trimEnd()}…` : first.description;
  return `${verb} “${text}”`;
}
