import { useQuery } from 'urql';
import { graphql } from '../gql/documents';
import { useLive } from './use-live';
import { useRefresh } from './use-refresh';

const STOP = graphql(`
  query EmergencyStop {
    policy {
      emergencyStop
      emergencyStopReason
      emergencyStopSince
    }
  }
`);

const CHANGES = graphql(`
  subscription EmergencyStopChanges($after: String) {
    policyEvents(after: $after) {
      cursor
    }
  }
`);

/** Whether somebody has stopped all approvals without people. */
export function useEmergencyStop(): { reason: string | null; since: string | null } | null {
  const [{ data }, ask] = useQuery({ query: STOP });
  // Several changes at once are one question.
  const refresh = useRefresh(ask, 200);
  useLive(CHANGES, {}, { onEvent: refresh, onGap: refresh });

  if (!data?.policy.emergencyStop) return null;
  return { reason: data.policy.emergencyStopReason, since: data.policy.emergencyStopSince };
}
