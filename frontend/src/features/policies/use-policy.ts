import { useQuery } from 'urql';
import { graphql } from '../../gql/documents';
import { toApiError } from '../../lib/send-exchange';
import { useLive } from '../../lib/use-live';
import { useRefresh } from '../../lib/use-refresh';

graphql(`
  fragment PolicyInForce on Policy {
    document
    version
    origin
    createdAt
    fileProblem
    emergencyStop
    emergencyStopReason
    emergencyStopSince
    autoApprovalRules {
      name
      enabled
      mode
      declaredMode
      earnedAt
      agreed
      decisions
      agreement
      promoteAt {
        agreement
        over
      }
      demoteBelow {
        agreement
        over
      }
    }
  }
`);

const POLICY = graphql(`
  query PolicyPage {
    policy {
      ...PolicyInForce
    }
  }
`);

const CHANGES = graphql(`
  subscription PolicyChanges($after: String) {
    policyEvents(after: $after) {
      cursor
    }
  }
`);

/** What people decide is what rules are measured by. */
const DECISIONS = graphql(`
  subscription PolicyDecisions($after: String) {
    workspaceEvents(after: $after, filter: { types: [CHECKPOINT_DECIDED, CHECKPOINT_OVERRIDDEN] }) {
      cursor
    }
  }
`);

/** The policy in force, and how its rules do. */
export function usePolicy() {
  const [{ data, error }, ask] = useQuery({ query: POLICY });
  const refresh = useRefresh(ask, 150);
  useLive(CHANGES, {}, { onEvent: refresh, onGap: refresh });
  useLive(DECISIONS, {}, { onEvent: refresh });
  return { policy: data?.policy ?? null, error: error ? toApiError(error) : null, refresh };
}
