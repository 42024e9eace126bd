import { graphql } from '../../gql/documents';

graphql(`
  fragment HistoryEvent on ExecutionEvent {
    __typename
    cursor
    at
    actor {
      ...Doer
    }
    ... on StepStarted {
      stepKey
      attempt
    }
    ... on StepCompleted {
      stepKey
      reasoning
      confidence
    }
    ... on StepFailed {
      stepKey
      error {
        message
      }
    }
    ... on StepRetried {
      stepKey
      error {
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
    ... on ExecutionFailed {
      error {
        message
      }
    }
    ... on ExecutionCancelled {
      reason
    }
    ... on CheckpointRequested {
      checkpoint {
        id
        description
      }
    }
    ... on CheckpointAutoApproved {
      rule
      checkpoint {
        id
        description
      }
    }
    ... on CheckpointDecided {
      decision {
        verdict
        comment
      }
      checkpoint {
        id
        description
      }
    }
    ... on CheckpointRevised {
      revision
      cause
    }
    ... on CheckpointDecisionLapsed {
      reason
      decision {
        by {
          ...Doer
        }
      }
    }
    ... on CheckpointReassessed {
      why
      checkpoint {
        id
        description
      }
    }
    ... on CheckpointRejected {
      reason
    }
    ... on CheckpointEscalated {
      escalatedTo
    }
    ... on CheckpointDelegated {
      from {
        id
        displayName
      }
      to {
        id
        displayName
      }
    }
    ... on CheckpointOverridden {
      reason
    }
  }
`);
