import { graphql } from '../../../gql/documents';

graphql(`
  fragment ServiceAccountRow on ServiceAccount {
    id
    name
    createdAt
    disabledAt
  }
`);

export const SERVICE_ACCOUNTS = graphql(`
  query ServiceAccounts($after: String) {
    serviceAccounts(first: 100, after: $after) {
      nodes {
        ...ServiceAccountRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);
