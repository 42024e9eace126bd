import type { DecisionBreakdownFragment, DurationPartsFragment } from '../../../gql/types';
import type { Breakdown } from './filters';

/** One line of a breakdown, whatever it is by. */
export interface BreakdownLine {
  key: string;
  name: string;
  asked: number;
  approved: number;
  modified: number;
  rejected: number;
  /** Null for people: rules do not decide for them. */
  autoApproved: number | null;
  timeToDecision: DurationPartsFragment;
  timeWaited: DurationPartsFragment;
}

type OfCheckpoints = DecisionBreakdownFragment['byWorkflow'][number]['figures'];
type OfPeople = NonNullable<DecisionBreakdownFragment['byPerson']>[number]['figures'];

export function linesOf(figures: DecisionBreakdownFragment, by: Breakdown): BreakdownLine[] {
  switch (by) {
    case 'workflow':
      return figures.byWorkflow.map(({ workflow, figures: of }) => ofCheckpoints(workflow?.id ?? 'outside', workflow?.name ?? 'Outside of workflows', of));
    case 'rule':
      return figures.byRule.map(({ rule, figures: of }) => ofCheckpoints(rule ?? '', rule ?? 'Without a rule', of));
    case 'person':
      return (figures.byPerson ?? []).map(({ user, displayName, figures: of }, index) => ofPeople(user?.id ?? `${index}`, displayName ?? 'Somebody who was erased', of));
    case 'group':
      return (figures.byGroup ?? []).map(({ group, figures: of }) => ofPeople(group.id, group.name, of));
  }
}

function ofCheckpoints(key: string, name: string, { outcomes, timeToDecision, timeWaited }: OfCheckpoints): BreakdownLine {
  const { asked, approved, modified, rejected, autoApproved } = outcomes;
  return { key, name, asked, approved, modified, rejected, autoApproved, timeToDecision, timeWaited };
}

function ofPeople(key: string, name: string, { decided, approved, modified, rejected, timeToDecision, timeWaited }: OfPeople): BreakdownLine {
  return { key, name, asked: decided, approved, modified, rejected, autoApproved: null, timeToDecision, timeWaited };
}
