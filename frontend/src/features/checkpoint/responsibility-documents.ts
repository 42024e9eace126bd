import { graphql } from '../../gql/documents';

export const CLAIM = graphql(`
  mutation ClaimCheckpoint($input: ClaimCheckpointInput!) {
    claimCheckpoint(input: $input) {
      checkpoint {
        ...Responsibility
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const ASSIGN = graphql(`
  mutation AssignCheckpoint($input: AssignCheckpointInput!) {
    assignCheckpoint(input: $input) {
      checkpoint {
        ...Responsibility
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const DELEGATE = graphql(`
  mutation DelegateCheckpoint($input: DelegateCheckpointInput!) {
    delegateCheckpoint(input: $input) {
      checkpoint {
        ...Responsibility
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);
