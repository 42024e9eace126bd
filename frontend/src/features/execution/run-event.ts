import { graphql } from '../../gql/documents';
import type { RunEventFragment } from '../../gql/types';

/*
 * What happened to an execution, as the event store keeps it. Values of any size (inputs, outputs) are left out: they are asked
 * for when somebody wants to see them.
 */
graphql(`
  fragment RunEvent on ExecutionEvent {
    __typename
    cursor
    at
    actor {
      kind
      displayName
    }
    ... on ExecutionQueued {
      keptStepKeys
    }
    ... on ExecutionCompleted {
      completionReason
    }
    ... on ExecutionFailed {
      error {
        code
        message
      }
    }
    ... on ExecutionCancelled {
      reason
    }
    ... on StepScheduled {
      stepKey
      attempt
      queue
    }
    ... on StepStarted {
      stepKey
      attempt
      workerId
    }
    ... on StepReleased {
      stepKey
      attempt
      releaseReason
    }
    ... on StepProgressed {
      stepKey
      progress
    }
    ... on StepLogged {
      stepKey
      level
      message
    }
    ... on StepCompleted {
      stepKey
      attempt
    }
    ... on StepRetried {
      stepKey
      attempt
      retryAt
      error {
        code
        message
      }
    }
    ... on StepFailed {
      stepKey
      attempt
      error {
        code
        message
      }
    }
    ... on StepSkipped {
      stepKey
      skippedBecause
    }
    ... on StepReopened {
      stepKey
      reason
    }
    ... on PayloadLarge {
      outputOf
      bytes
    }
    ... on CheckpointEvent {
      checkpoint {
        id
        kind
        stepKey
        description
      }
    }
    ... on DeliverableEvent {
      deliverableName
      versionNumber
      deliverable {
        id
      }
    }
  }
`);

export type RunEvent = RunEventFragment;
