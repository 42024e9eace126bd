import type { FailureCode } from '../../../gql/enums';
import { words } from '../../../lib/format';

const FAILURES: Record<FailureCode, string> = {
  AGENT: 'The agent is not there any more',
  BAD_INPUT: 'The input does not fit the agent',
  BAD_OUTPUT: 'The output is not what it should be',
  EXECUTION_TIMEOUT: 'The execution took too long',
  EXPRESSION: 'An expression could not be computed',
  FORBIDDEN: 'An address that is not allowed',
  GATE: 'The step could not say what it is about to do',
  HTTP_STATUS: 'The other side answered with an error',
  INTERNAL: 'A fault of the server',
  NETWORK: 'The other side could not be reached',
  SECRET: 'A secret is missing',
  TIMEOUT: 'The step took too long',
  TOO_LARGE: 'A value is too large',
  WORKER: 'The worker said that it failed',
};

/** What kind of failure it was, for people. A newer server may know more kinds. */
export const failureKind = (code: FailureCode): string => FAILURES[code] ?? words(code);
