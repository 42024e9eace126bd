import { graphql } from '../../gql/documents';

/*
 * What a row shows and, with its digest, what a decision from the row is about: the two always arrive together, so nobody can
 * approve by a row what the row did not say.
 */
graphql(`
  fragment InboxRow on Checkpoint {
    id
    kind
    description
    operationType
    status
    digest
    revision
    riskLevel
    confidence
    estimatedCostMicros
    itemCount
    approvals
    approvalsNeeded
    requestedAt
    deadline
    test
    viewerCanDecide
    viewerCannotDecideBecause
    agent {
      id
      name
    }
    workflow {
      id
      name
    }
    assignee {
      id
      displayName
    }
  }
`);

export const INBOX = graphql(`
  query Inbox($after: String, $filter: CheckpointFilter!, $orderBy: CheckpointOrder!) {
    checkpoints(first: 100, after: $after, filter: $filter, orderBy: $orderBy) {
      nodes {
        ...InboxRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

export const CHANGES = graphql(`
  subscription InboxChanges($after: String) {
    checkpointEvents(after: $after, filter: { mine: true }, pending: false) {
      __typename
      cursor
      actor {
        displayName
        user {
          id
        }
      }
      checkpoint {
        ...InboxRow
      }
    }
  }
`);

export const DECIDE = graphql(`
  mutation InboxDecide($input: DecideCheckpointsInput!) {
    decideCheckpoints(input: $input) {
      results {
        checkpointId
        checkpoint {
          ...InboxRow
        }
        userErrors {
          code
          message
          path
        }
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);
