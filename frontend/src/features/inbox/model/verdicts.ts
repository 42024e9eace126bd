import type { InboxRowFragment } from '../../../gql/types';
import { headlineOf } from '../../../lib/headline';
import type { ShownRow } from './departing';
import type { Decision } from './outbox';

export type InboxShown = ShownRow<InboxRowFragment>;

/** Whether a row can be approved from the list: questions need answers, which a list has no room for. */
export const canApprove = ({ row, told }: InboxShown): boolean => told === null && row.viewerCanDecide && row.kind !== 'CLARIFICATION';

export const canReject = ({ row, told }: InboxShown): boolean => told === null && row.viewerCanDecide;

export function decisionOf({ row }: InboxShown, verdict: Decision['verdict'], reason: string | null): Decision {
  return { checkpointId: row.id, digest: row.digest, description: headlineOf(row.description).headline, verdict, reason };
}

/** The selection without what is no longer there; the same object when nothing changes. */
export function pruned(selected: ReadonlySet<string>, rows: readonly InboxShown[]): ReadonlySet<string> {
  const there = new Set(rows.filter(({ told }) => told === null).map(({ id }) => id));
  const kept = [...selected].filter((id) => there.has(id));
  return kept.length === selected.size ? selected : new Set(kept);
}

/** The row that the keyboard comes to: `by` rows on, or the nearest when the current one has left. */
export function moved(rows: readonly InboxShown[], current: string | null, lastIndex: number, by: number): InboxShown | null {
  if (rows.length === 0) return null;
  const index = current === null ? -1 : rows.findIndex(({ id }) => id === current);
  if (index < 0) {
    // After a decision the next row has taken the place of the one that left.
    const from = current === null ? (by > 0 ? 0 : rows.length - 1) : by > 0 ? lastIndex : lastIndex - 1;
    return rows[Math.min(Math.max(from, 0), rows.length - 1)] ?? null;
  }
  return rows[Math.min(Math.max(index + by, 0), rows.length - 1)] ?? null;
}

/** What a screen reader says when the keyboard comes to a row. */
export function spoken({ row, told }: InboxShown): string {
  const risk = `${row.riskLevel.toLowerCase()} risk`;
  return [row.description, told ?? risk, row.workflow?.name].filter(Boolean).join(', ');
}
