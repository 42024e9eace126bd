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

/**
 * The rows that wait, with those that leave where they were. One that the list still has may be over already: another stream has
 * told the cache so before ours says who it was.
 */
export function withDeparting<Row extends { readonly id: string; readonly status: CheckpointStatus }>(
  rows: readonly Row[],
  departing: readonly Departing<Row>[],
): ShownRow<Row>[] {
  const leaving = new Set(departing.map(({ row }) => row.id));
  const shown: ShownRow<Row>[] = rows.filter(({ id }) => !leaving.has(id)).map((row) => ({ id: row.id, row, told: endOf(row.status, null) }));
  for (const { row, index, told } of departing.toSorted((a, b) => a.index - b.index)) {
    shown.splice(Math.min(index, shown.length), 0, { id: row.id, row, told });
  }
  return shown;
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
