import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../gql/documents';
import { connection } from '../../lib/client';
import { debounced } from '../../lib/debounced';
import { toApiError } from '../../lib/send-exchange';
import { useLive } from '../../lib/use-live';
import { useViewer } from '../../lib/use-viewer';

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
    auditEvents(
      after: $after
      filter: { actions: [POLICY_CHANGED, EMERGENCY_STOP_SET, EMERGENCY_STOP_LIFTED, RULE_PROMOTED, RULE_DEMOTED] }
    ) {
      cursor
    }
  }
`);

/**
 * The policy in force. Its changes are told in the audit log, which only administrators may watch; for others it is asked again
 * when they come back to the page.
 */
export function usePolicy() {
  const { can } = useViewer();
  const [{ data, error }, ask] = useQuery({ query: POLICY });
  const [refresh] = useState(() => debounced(() => ask({ requestPolicy: 'network-only' }), 150));
  useLive(CHANGES, can('ADMIN') ? {} : null, { onEvent: refresh, onGap: refresh });
  useEffect(() => {
    const stop = connection.onReturn(refresh);
    addEventListener('focus', refresh);
    return () => {
      stop();
      removeEventListener('focus', refresh);
    };
  }, [refresh]);
  return { policy: data?.policy ?? null, error: error ? toApiError(error) : null, refresh };
}
