import type { AuditAction } from '../../../gql/enums';
import { rangeOf } from '../../../lib/time-range';
import { known } from '../../../lib/use-url-filters';

/** Actions by what they are about, in the words of the log. */
export const ACTION_GROUPS = {
  Decisions: ['CHECKPOINT_APPROVED', 'CHECKPOINT_REJECTED', 'CHECKPOINT_AUTO_APPROVED', 'AUTO_APPROVAL_OVERRIDDEN', 'CLARIFICATION_ANSWERED', 'CHECKPOINT_TIMED_OUT', 'CHECKPOINT_ESCALATED'],
  'What leads to them': ['CHECKPOINT_ASSIGNED', 'CHECKPOINT_DELEGATED', 'CHECKPOINT_REVISED', 'CHECKPOINT_REASSESSED', 'CHECKPOINT_REASSIGNED', 'APPROVAL_LAPSED', 'CHECKPOINT_COMMENTED', 'CHECKPOINT_ASKED', 'CHECKPOINT_ANSWERED', 'CHECKPOINT_CANCELLED', 'OUT_OF_OFFICE_SET', 'OUT_OF_OFFICE_ENDED'],
  Rules: ['POLICY_CHANGED', 'REVIEWED_CHANGE_MADE', 'REVIEWED_CHANGE_FAILED', 'EMERGENCY_STOP_SET', 'EMERGENCY_STOP_LIFTED', 'RULE_PROMOTED', 'RULE_DEMOTED'],
  Access: ['SIGNED_IN', 'SIGN_IN_REFUSED', 'SIGNED_OUT', 'REFRESH_TOKEN_REUSED', 'SIGN_IN_LINK_CREATED', 'SIGN_IN_LINK_WITHDRAWN', 'USER_PASSWORD_CHANGED', 'IDENTITY_LINKED', 'IDENTITY_UNLINKED', 'API_TOKEN_CREATED', 'API_TOKEN_REVOKED', 'SERVICE_ACCOUNT_CREATED', 'SERVICE_ACCOUNT_RENAMED', 'SERVICE_ACCOUNT_DISABLED', 'SERVICE_ACCOUNT_ENABLED'],
  People: ['USER_INVITED', 'USER_PROVISIONED', 'USER_UPDATED', 'USER_ROLES_CHANGED', 'USER_DISABLED', 'USER_ENABLED', 'USER_DATA_ERASED', 'GROUP_CREATED', 'GROUP_UPDATED', 'GROUP_DELETED', 'GROUP_MEMBERS_ADDED', 'GROUP_MEMBERS_REMOVED'],
  Library: ['AGENT_CREATED', 'AGENT_UPDATED', 'AGENT_ARCHIVED', 'AGENT_UNARCHIVED', 'WORKFLOW_CREATED', 'WORKFLOW_UPDATED', 'WORKFLOW_DRAFT_SAVED', 'WORKFLOW_DRAFT_DISCARDED', 'WORKFLOW_VERSION_RESTORED', 'WORKFLOW_ARCHIVED', 'WORKFLOW_UNARCHIVED', 'SECRET_SET', 'SECRET_DELETED', 'WORKSPACE_CREATED', 'WORKSPACE_UPDATED'],
  Deliverables: ['DELIVERABLE_FINALIZED', 'DELIVERABLE_ARCHIVED', 'DELIVERABLE_RESTORED', 'DELIVERABLE_CONTENT_DELETED'],
} as const satisfies Record<string, readonly AuditAction[]>;

const ACTIONS: readonly AuditAction[] = Object.values(ACTION_GROUPS).flat();

export interface Filters {
  actions: AuditAction[];
  actorId: string | null;
  subjectId: string | null;
  executionId: string | null;
  checkpointId: string | null;
  from: string | null;
  until: string | null;
}

export function parseFilters(params: URLSearchParams, now = Date.now()): Filters {
  return {
    actions: known(params, 'action', ACTIONS),
    actorId: params.get('actor'),
    subjectId: params.get('subject'),
    executionId: params.get('execution'),
    checkpointId: params.get('checkpoint'),
    ...rangeOf(params, now),
  };
}

/** The API's filter. What narrows nothing down is left out. */
export function filterOf({ actions, ...rest }: Filters) {
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  return { ...(actions.length > 0 ? { actions } : {}), ...given };
}

/** Where the export of the same time is. */
export function exportPath({ from, until }: Pick<Filters, 'from' | 'until'>): string {
  const params = new URLSearchParams({ ...(from === null ? {} : { from }), ...(until === null ? {} : { until }) });
  return params.size === 0 ? '/audit.jsonl' : `/audit.jsonl?${params}`;
}
