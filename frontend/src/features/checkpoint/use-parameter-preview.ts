import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from 'urql';
import { graphql } from '../../gql/documents';
import { toApiError } from '../../lib/send-exchange';

const PREVIEW = graphql(`
  query PreviewParameterChanges($checkpointId: ID!, $parameters: JSON!) {
    previewParameterChanges(checkpointId: $checkpointId, parameters: $parameters) {
      valid
      viewerCanApprove
      errors {
        message
      }
      requirement {
        rule
        seats {
          count
          who
        }
      }
    }
  }
`);

const TYPING_MS = 350;

/** What the server says of other parameters, as one types. */
export function useParameterPreview(checkpointId: string, parameters: unknown) {
  const [settled] = useDebouncedValue(parameters, TYPING_MS);
  const [{ data, error, fetching }] = useQuery({ query: PREVIEW, variables: { checkpointId, parameters: settled }, requestPolicy: 'network-only' });
  const preview = data?.previewParameterChanges;
  return {
    checking: fetching || settled !== parameters,
    valid: preview?.valid ?? false,
    errors: preview?.errors ?? [],
    /** Who must approve, where the change is no approval by oneself. */
    others: preview && !preview.viewerCanApprove ? (preview.requirement ?? null) : null,
    failure: error ? toApiError(error) : null,
  };
}
