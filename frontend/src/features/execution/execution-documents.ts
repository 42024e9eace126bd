import { graphql } from '../../gql/documents';
import type { ExecutionPlanQuery, ExecutionStateQuery } from '../../gql/types';

/** What never changes while one looks at an execution. */
export const PLAN = graphql(`
  query ExecutionPlan($id: ID!) {
    execution(id: $id) {
      id
      createdAt
      isTest
      correlationId
      originKind
      originStep
      createdBy {
        kind
        displayName
      }
      origin {
        id
        status
        createdAt
      }
      workflow {
        id
        name
      }
      workflowVersion {
        number
        definition
      }
    }
  }
`);

/** What changes with every event; values that may be large are asked for by whoever shows them. */
export const STATE = graphql(`
  query ExecutionState($id: ID!) {
    execution(id: $id) {
      id
      status
      completionReason
      startedAt
      finishedAt
      durationSeconds
      pendingCheckpoints
      estimatedSecondsRemaining
      progress {
        done
        total
        percent
      }
      usage {
        costMicros
        tokens
        llmCalls
      }
      error {
        code
        message
        details
        stepKey
        attempts
        retryable
      }
      steps {
        ...StepFacts
      }
      checkpoints {
        ...RunCheckpoint
      }
      deliverables(first: 50) {
        totalCount
        nodes {
          ...RunDeliverable
        }
      }
      continuations(first: 20) {
        totalCount
        nodes {
          ...Continuation
        }
      }
    }
  }
`);

graphql(`
  fragment StepFacts on StepRun {
    key
    number
    status
    kept
    maxAttempts
    agentVersion
    confidence
    reasoning
    skippedBecause
    agent {
      id
      name
    }
    usage {
      costMicros
      tokens
      llmCalls
    }
    checkpoint {
      id
      status
      description
    }
    error {
      code
      message
      details
      retryable
      attempts
    }
  }
`);

export type Plan = NonNullable<ExecutionPlanQuery['execution']>;
export type State = NonNullable<ExecutionStateQuery['execution']>;
export type StepFacts = State['steps'][number];
