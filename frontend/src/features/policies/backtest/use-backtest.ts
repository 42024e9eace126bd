import { useState } from 'react';
import { graphql } from '../../../gql/documents';
import type { BacktestPolicySubscription, BacktestPolicySubscriptionVariables } from '../../../gql/types';
import { useLive } from '../../../lib/use-live';

const BACKTEST = graphql(`
  subscription BacktestPolicy($input: BacktestPolicyInput!) {
    backtestPolicy(input: $input) {
      done
      total
      problems {
        message
        path
        line
        column
      }
      result {
        ...BacktestParts
      }
    }
  }
`);

type Progress = BacktestPolicySubscription['backtestPolicy'];
type Input = Omit<BacktestPolicySubscriptionVariables['input'], 'mostCases'>;

const NOTHING: Pick<Progress, 'done' | 'total' | 'problems' | 'result'> = { done: 0, total: 0, problems: [], result: null };

/** A back-test that runs for as long as somebody listens: to stop listening is to cancel it. */
export function useBacktest() {
  const [input, setInput] = useState<Input | null>(null);
  const [progress, setProgress] = useState(NOTHING);
  const { error } = useLive(BACKTEST, input === null ? null : { input: { ...input, mostCases: 200 } }, {
    onEvent: ({ backtestPolicy }) => {
      setProgress(backtestPolicy);
      if (backtestPolicy.result || backtestPolicy.problems.length > 0) setInput(null);
    },
  });
  return {
    ...progress,
    error,
    running: input !== null && error === null,
    start(next: Input) {
      setProgress(NOTHING);
      setInput(next);
    },
    cancel: () => setInput(null),
  };
}
