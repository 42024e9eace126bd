import type { BacktestOutcome, BacktestVerdict } from '../../../gql/enums';

export const OUTCOME_WORDS: Record<BacktestOutcome, string> = {
  ASKED: 'People asked',
  AUTO_APPROVED: 'Approved by a rule',
  PROCEEDED: 'Goes on by itself',
};

export const VERDICT_LOOKS: Record<BacktestVerdict, { label: string; color: string }> = {
  CONTRADICTS: { label: 'Contradicts people', color: 'red' },
  AGREES: { label: 'As people decided', color: 'brand' },
  UNDECIDED: { label: 'Nobody decided', color: 'gray' },
};
