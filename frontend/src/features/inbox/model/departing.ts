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

/** The rows that wait, with those that leave where they were. */
export function withDeparting<Row extends { readonly id: string }>(
  rows: readonly Row[],
  departing: readonly Departing<Row>[],
): ShownRow<Row>[] {
  const leaving = new Set(departing.map(({ row }) => row.id));
  const shown: ShownRow<Row>[] = rows.filter(({ id }) => !leaving.has(id)).map((row) => ({ id: row.id, row, told: null }));
  for (const { row, index, told } of departing.toSorted((a, b) => a.index - b.index)) {
    shown.splice(Math.min(index, shown.length), 0, { id: row.id, row, told });
  }
  return shown;
}

const ENDS: Record<string, string> = {
  CheckpointApproved: 'Approved',
  CheckpointRejected: 'Rejected',
  CheckpointTimedOut: 'Timed out',
  CheckpointCancelled: 'Cancelled',
};

/** What an event says became of a checkpoint; null while it goes on waiting. */
export function endOf(typename: string, actor: string | null): string | null {
  const end = ENDS[typename];
  if (end === undefined) return null;
  return actor === null || typename === 'CheckpointTimedOut' ? end : `${end} by ${actor}`;
}
