import { graphql } from '../../gql/documents';

graphql(`
  fragment ProposalParts on Proposal {
    operationType
    description
    parameters
    reasoning
    confidence
    estimatedCostMicros
    riskLevel
    supportingData
    alternatives
    answered {
      question
      answer
    }
    items {
      id
      label
      action
      data
    }
    questions {
      id
      text
      schema
    }
  }
`);

graphql(`
  fragment Doer on Actor {
    kind
    displayName
    user {
      id
    }
  }
`);

graphql(`
  fragment Talk on Checkpoint {
    id
    comments {
      id
      at
      text
      by {
        ...Doer
      }
    }
    questions {
      id
      at
      text
      by {
        ...Doer
      }
      answer {
        at
        text
        by {
          ...Doer
        }
      }
    }
  }
`);

graphql(`
  fragment Responsibility on Checkpoint {
    id
    viewerCanDecide
    viewerCanAnswer
    viewerCannotDecideBecause
    assignee {
      id
      displayName
    }
    delegations {
      from {
        id
        displayName
      }
      to {
        id
        displayName
      }
    }
  }
`);

/*
 * The digest and the proposal that it stands for are always asked for together: only then does the digest of a decision say what
 * its maker saw. Nothing else on this page may select the digest.
 */
graphql(`
  fragment CheckpointDetail on Checkpoint {
    ...Talk
    ...Responsibility
    kind
    status
    description
    digest
    revision
    riskLevel
    test
    stepKey
    rule
    policyVersion
    reason
    requestedAt
    resolvedAt
    overriddenAt
    escalatedAt
    deadline
    modified
    stuck
    reviewedChange {
      subject
      doneAt
      problem
    }
    approvals
    approvalsNeeded
    requestedBy {
      ...Doer
    }
    agent {
      id
      name
      inputSchema
    }
    workflow {
      id
      name
    }
    proposal {
      ...ProposalParts
    }
    runs {
      name
      version
      newerVersion
      config
    }
    reasons {
      condition
      field
      message
      operator
      rule
      threshold
      value
    }
    requirement {
      onTimeout
      separationOfDuties
    }
    stillNeeded {
      count
      who
    }
    decisions {
      id
      at
      verdict
      comment
      lapsed
      revision
      by {
        ...Doer
      }
      onBehalfOf {
        id
        displayName
      }
    }
    revisions {
      number
      digest
      cause
      at
      by {
        ...Doer
      }
    }
    outcome {
      answers
      approvedItems
      approvedParameters
    }
  }
`);

export const CHECKPOINT = graphql(`
  query Checkpoint($id: ID!) {
    checkpoint(id: $id) {
      ...CheckpointDetail
      insight {
        decided
        approved
        modified
        rejected
        sentences
        cases(first: 5) {
          id
          kind
          reason
          at
          decidedBy {
            id
            displayName
          }
          changes {
            path
            before
            after
          }
          checkpoint {
            id
            description
          }
        }
      }
      execution {
        id
        status
        createdAt
        events(
          last: 60
          types: [
            EXECUTION_QUEUED
            EXECUTION_STARTED
            EXECUTION_PAUSED
            EXECUTION_RESUMED
            EXECUTION_COMPLETED
            EXECUTION_FAILED
            EXECUTION_CANCELLED
            STEP_STARTED
            STEP_COMPLETED
            STEP_FAILED
            STEP_RETRIED
            STEP_SKIPPED
            STEP_REOPENED
            CHECKPOINT_REQUESTED
            CHECKPOINT_AUTO_APPROVED
            CHECKPOINT_DECIDED
            CHECKPOINT_REVISED
            CHECKPOINT_DECISION_LAPSED
            CHECKPOINT_REASSESSED
            CHECKPOINT_REJECTED
            CHECKPOINT_TIMED_OUT
            CHECKPOINT_CANCELLED
            CHECKPOINT_ESCALATED
            CHECKPOINT_DELEGATED
            CHECKPOINT_OVERRIDDEN
          ]
        ) {
          nodes {
            ...HistoryEvent
          }
          pageInfo {
            hasPreviousPage
            endCursor
          }
        }
      }
    }
  }
`);

/** Tells only that something happened: what, the page asks for as a whole. */
export const HAPPENINGS = graphql(`
  subscription CheckpointHappenings($id: ID!, $after: String) {
    checkpointEvents(after: $after, filter: { checkpointId: $id }, pending: false) {
      __typename
      cursor
      checkpoint {
        id
        status
      }
    }
  }
`);
