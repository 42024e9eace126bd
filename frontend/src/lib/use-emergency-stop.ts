import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../gql/documents';
import { connection } from './client';
import { debounced } from './debounced';
import { useLive } from './use-live';
import { useViewer } from './use-viewer';

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
    auditEvents(after: $after, filter: { actions: [EMERGENCY_STOP_SET, EMERGENCY_STOP_LIFTED] }) {
      cursor
    }
  }
`);

/**
 * Whether somebody has stopped all approvals without people. Only administrators may watch the audit log, where this is told;
 * for others it is asked again when they come back to the page.
 */
export function useEmergencyStop(): { reason: string | null; since: string | null } | null {
  const { can } = useViewer();
  const [{ data }, ask] = useQuery({ query: STOP });
  const [refresh] = useState(() => debounced(() => ask({ requestPolicy: 'network-only' }), 200));
  useLive(CHANGES, can('ADMIN') ? {} : null, { onEvent: refresh, onGap: refresh });

  useEffect(() => {
    const stop = connection.onReturn(refresh);
    addEventListener('focus', refresh);
    return () => {
      stop();
      removeEventListener('focus', refresh);
    };
  }, [refresh]);

  if (!data?.policy.emergencyStop) return null;
  return { reason: data.policy.emergencyStopReason, since: data.policy.emergencyStopSince };
}
