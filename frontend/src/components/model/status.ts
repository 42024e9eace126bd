import type { CheckpointStatus, DeliverableStatus, ExecutionStatus, RiskLevel, StepStatus } from '../../gql/enums';

/** How a state looks and reads, everywhere. Colour alone never tells it. */
export interface Look {
  label: string;
  color: 'brand' | 'gray' | 'blue' | 'yellow' | 'orange' | 'red';
  /** Something is going on right now. */
  busy?: boolean;
}

export const EXECUTION_LOOKS: Record<ExecutionStatus, Look> = {
  QUEUED: { label: 'Queued', color: 'gray' },
  PLANNING: { label: 'Planning', color: 'blue', busy: true },
  RUNNING: { label: 'Running', color: 'blue', busy: true },
  AWAITING_APPROVAL: { label: 'Waits for people', color: 'yellow' },
  PAUSED: { label: 'Paused', color: 'gray' },
  COMPLETED: { label: 'Completed', color: 'brand' },
  FAILED: { label: 'Failed', color: 'red' },
  CANCELLED: { label: 'Cancelled', color: 'gray' },
  LIMIT_REACHED: { label: 'Limit reached', color: 'orange' },
};

export const STEP_LOOKS: Record<StepStatus, Look> = {
  PENDING: { label: 'Not yet', color: 'gray' },
  SCHEDULED: { label: 'Scheduled', color: 'gray' },
  RUNNING: { label: 'Running', color: 'blue', busy: true },
  RETRYING: { label: 'Tries again', color: 'orange', busy: true },
  AWAITING_APPROVAL: { label: 'Waits for people', color: 'yellow' },
  COMPLETED: { label: 'Completed', color: 'brand' },
  FAILED: { label: 'Failed', color: 'red' },
  SKIPPED: { label: 'Skipped', color: 'gray' },
  CANCELLED: { label: 'Cancelled', color: 'gray' },
};

export const CHECKPOINT_LOOKS: Record<CheckpointStatus, Look> = {
  PENDING: { label: 'Waits for people', color: 'yellow' },
  APPROVED: { label: 'Approved', color: 'brand' },
  AUTO_APPROVED: { label: 'Approved by a rule', color: 'brand' },
  REJECTED: { label: 'Rejected', color: 'red' },
  TIMED_OUT: { label: 'Timed out', color: 'orange' },
  CANCELLED: { label: 'Cancelled', color: 'gray' },
};

export const DELIVERABLE_LOOKS: Record<DeliverableStatus, Look> = {
  DRAFT: { label: 'Draft', color: 'yellow' },
  FINAL: { label: 'Final', color: 'brand' },
  ARCHIVED: { label: 'Archived', color: 'gray' },
};

export const RISK_LOOKS: Record<RiskLevel, Look> = {
  LOW: { label: 'Low risk', color: 'gray' },
  MEDIUM: { label: 'Medium risk', color: 'yellow' },
  HIGH: { label: 'High risk', color: 'orange' },
  CRITICAL: { label: 'Critical risk', color: 'red' },
};
