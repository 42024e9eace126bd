import type { CheckpointStatus, DecisionVerdict, RevisionCause } from '../../../gql/enums';
import { doerName } from './people';

interface Decided {
  readonly verdict: DecisionVerdict;
  readonly comment: string | null;
  readonly lapsed: boolean;
  readonly by: { readonly kind: string; readonly displayName: string | null; readonly user: { readonly id: string } | null };
  readonly onBehalfOf: { readonly displayName: string } | null;
}

interface Ended {
  readonly kind: string;
  readonly status: CheckpointStatus;
  readonly rule: string | null;
  readonly reason: string | null;
  readonly resolvedAt: string | null;
  readonly modified: boolean;
  readonly decisions: readonly Decided[];
  readonly revisions: readonly { readonly cause: RevisionCause | null }[];
  readonly outcome: { readonly approvedItems: readonly string[] | null } | null;
}

const EARLY = { APPROVED: 'Approved', AUTO_APPROVED: 'Approved by a rule', REJECTED: 'Rejected', TIMED_OUT: 'Nobody decided in time', CANCELLED: 'Cancelled' } as const;

/** How a checkpoint ended, in a title and a few sentences; null while it waits. */
export function outcomeText(checkpoint: Ended, viewerId: string | null): { title: string; details: string[] } | null {
  const { kind, status, rule, reason, resolvedAt, decisions } = checkpoint;
  const counted = decisions.filter(({ lapsed }) => !lapsed);
  const names = counted.map((decision) => nameOf(decision, viewerId));
  // An optimistic approval, or an event that is ahead of the rest: the state is known, who brought it about is not yet.
  if (resolvedAt === null && status !== 'PENDING') return { title: EARLY[status], details: [] };
  switch (status) {
    case 'PENDING':
      return null;
    case 'APPROVED':
      if (counted.length === 0) return { title: 'Approved, because nobody decided in time', details: [] };
      return { title: `${kind === 'CLARIFICATION' ? 'Answered' : 'Approved'} by ${listed(names)}`, details: [...changes(checkpoint), ...comments(counted, viewerId)] };
    case 'REJECTED':
      return {
        title: names.length > 0 ? `Rejected by ${listed(counted.filter(({ verdict }) => verdict === 'REJECT').map((one) => nameOf(one, viewerId)))}` : 'Rejected',
        details: reason === null ? [] : [`“${reason}”`],
      };
    case 'AUTO_APPROVED':
      return { title: rule === null ? 'Approved by a rule' : `Approved by the rule “${rule}”`, details: ['Nobody was asked.'] };
    case 'TIMED_OUT':
      return { title: 'Nobody decided in time', details: [] };
    case 'CANCELLED':
      return { title: 'Nobody needs the decision any more', details: reason === null ? [] : [reason] };
  }
}

function nameOf({ by, onBehalfOf }: Decided, viewerId: string | null): string {
  const name = viewerId !== null && by.user?.id === viewerId ? 'you' : doerName(by);
  return onBehalfOf ? `${name} in the place of ${onBehalfOf.displayName}` : name;
}

function comments(decisions: readonly Decided[], viewerId: string | null): string[] {
  return decisions.flatMap((one) => (one.comment === null ? [] : [`${capital(nameOf(one, viewerId))}: “${one.comment}”`]));
}

function changes({ modified, outcome, revisions }: Ended): string[] {
  if (!modified) return [];
  const items = outcome?.approvedItems;
  const is = (cause: RevisionCause) => revisions.some((revision) => revision.cause === cause);
  return [
    ...(is('MODIFIED') ? ['Not as it was proposed: the revisions below say what was changed.'] : []),
    ...(is('SELECTED') && items ? [`Only ${items.length} of the items: ${items.length === 1 ? 'it is' : 'they are'} marked below.`] : []),
  ];
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'somebody';
  return names.length === 1 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
