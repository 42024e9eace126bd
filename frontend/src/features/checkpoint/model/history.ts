import type { HistoryEventFragment } from '../../../gql/types';
import { doerName } from './people';

export interface Told {
  readonly title: string;
  readonly detail: string | null;
  readonly tone: 'good' | 'bad' | 'waits' | 'plain';
}

const CAUSES = {
  AGENT_UPDATED: 'A newer version of the agent',
  ANSWERED: 'A question was answered',
  MODIFIED: 'Other parameters',
  REVISED: 'Another proposal',
  SELECTED: 'Some of the items',
} as const;

const REASSESSED = {
  PEOPLE_CHANGED: 'Who may approve has changed',
  POLICY_CHANGED: 'The policy has changed',
  REASSIGNED: 'An admin gave it to others',
  REVISED: 'The policy asks for more about this revision',
} as const;

const told = (title: string, tone: Told['tone'] = 'plain', detail: string | null = null): Told => ({ title, tone, detail });

/** An event in words; null for one that says nothing to somebody who decides, or that this page does not know. */
export function tell(event: HistoryEventFragment, own: string): Told | null {
  const who = doerName(event.actor);
  switch (event.__typename) {
    case 'ExecutionQueued':
      return told(event.actor.kind === 'SYSTEM' ? 'Started' : `Started by ${who}`);
    case 'ExecutionPaused':
      return told(`Paused by ${who}`);
    case 'ExecutionResumed':
      return told(`Continued by ${who}`);
    case 'ExecutionCompleted':
      return told('Completed', 'good');
    case 'ExecutionFailed':
      return told('Failed', 'bad', event.error.message);
    case 'ExecutionCancelled':
      return told(`Cancelled by ${who}`, 'bad', event.reason);
    case 'StepCompleted':
      return told(`${event.stepKey} is done`, 'good', event.reasoning);
    case 'StepFailed':
      return told(`${event.stepKey} failed`, 'bad', event.error.message);
    case 'StepRetried':
      return told(`${event.stepKey} failed and is tried again`, 'bad', event.error.message);
    case 'StepSkipped':
      return told(`${event.stepKey} was not needed`, 'plain', event.skippedBecause);
    case 'StepReopened':
      return told(`${event.stepKey} runs again`, 'plain', event.reason);
    case 'CheckpointRequested':
      return told(event.checkpoint.id === own ? 'Stopped here for people' : 'Stopped for people', 'waits', event.checkpoint.id === own ? null : event.checkpoint.description);
    case 'CheckpointAutoApproved':
      return told(`The rule “${event.rule}” approved`, 'good', event.checkpoint.description);
    case 'CheckpointDecided':
      return told(`${who} ${verb(event.decision.verdict)}`, event.decision.verdict === 'REJECT' ? 'bad' : 'good', event.decision.comment);
    case 'CheckpointRevised':
      return told(`Revision ${event.revision}`, 'waits', CAUSES[event.cause] ?? null);
    case 'CheckpointDecisionLapsed':
      return event.reason === null ? null : told(`The approval by ${doerName(event.decision.by)} no longer counts`, 'waits', event.reason);
    case 'CheckpointReassessed':
      return told('Other approvals are needed', 'waits', REASSESSED[event.why] ?? null);
    case 'CheckpointTimedOut':
      return told('Nobody decided in time', 'bad');
    case 'CheckpointCancelled':
      return told('Nobody needs the decision any more');
    case 'CheckpointEscalated':
      return told('Others were asked as well', 'waits', event.escalatedTo.join(', '));
    case 'CheckpointDelegated':
      return told(`${event.to?.displayName ?? 'Somebody'} may decide in the place of ${event.from?.displayName ?? who}`);
    case 'CheckpointOverridden':
      return told(`${who} would not have approved it`, 'bad', event.reason);
    default:
      return null;
  }
}

function verb(verdict: string): string {
  if (verdict === 'REJECT') return 'rejected';
  return verdict === 'ANSWER' ? 'answered' : 'approved';
}
