import { graphql } from '../../gql/documents';
import type { AuditAction } from '../../gql/enums';
import { useLive } from '../../lib/use-live';
import { useViewer } from '../../lib/use-viewer';

const CHANGES = graphql(`
  subscription SettingsChanges($actions: [AuditAction!], $after: String) {
    auditEvents(after: $after, filter: { actions: $actions }) {
      cursor
    }
  }
`);

/** Calls when another administrator changed something, too: the audit log tells, and only administrators may watch it. */
export function useAdminChanges(actions: readonly AuditAction[], onChange: () => void): void {
  const { can } = useViewer();
  useLive(CHANGES, can('ADMIN') ? { actions: [...actions] } : null, { onEvent: onChange, onGap: onChange });
}
