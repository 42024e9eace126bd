import type { CheckpointStatus } from '../../../gql/enums';

/** A row that waits no more, kept for a moment where it was, so that whoever looked at it sees what became of it. */
export interface Departing<Row> {
  readonly row: Row;
  readonly index: number;
  /** "Approved by Ada Byron" */
  readonly told: string;
}

export interface ShownRow<Row> {
  readonly id: string;
  readonly row: Row;
  /** What became of it, while it leaves; null for one that waits. */
  readonly told: string | null;
}

/** A row that is the same as before is shown by the same object, so that a list need not make it again. */
const shownBefore = new WeakMap<object, ShownRow<object>>();

function shown<Row extends { readonly id: string; readonly status: CheckpointStatus }>(row: Row): ShownRow<Row> {
  const before = shownBefore.get(row);
  if (before) return before as ShownRow<Row>;
  const now = { id: row.id, row, told: endOf(row.status, null) };
  shownBefore.set(row, now);
  return now;
}

/**
 * The rows that wait, with those that leave where they were. One that the list still has may be over already: another stream has
 * told the cache so before ours says who it was.
 */
export function withDeparting<Row extends { readonly id: string; readonly status: CheckpointStatus }>(
  rows: readonly Row[],
  departing: readonly Departing<Row>[],
): ShownRow<Row>[] {
  const leaving = new Set(departing.map(({ row }) => row.id));
  const all: ShownRow<Row>[] = rows.filter(({ id }) => !leaving.has(id)).map(shown);
  for (const { row, index, told } of departing.toSorted((a, b) => a.index - b.index)) {
    all.splice(Math.min(index, all.length), 0, { id: row.id, row, told });
  }
  return all;
}

const ENDS: Record<CheckpointStatus, string | null> = {
  PENDING: null,
  APPROVED: 'Approved',
  AUTO_APPROVED: 'Approved',
  REJECTED: 'Rejected',
  TIMED_OUT: 'Timed out',
  CANCELLED: 'Cancelled',
};

/** What became of a checkpoint, by whoever caused the event that tells it; null while it goes on waiting. */
export function endOf(status: CheckpointStatus, actor: string | null): string | null {
  const end = ENDS[status] ?? null;
  return end === null || actor === null || status === 'TIMED_OUT' ? end : `${end} by ${actor}`;
}
