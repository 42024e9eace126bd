import { useClient, useQuery } from 'urql';
import { graphql } from '../../gql/documents';
import { ApiError } from '../../lib/errors';
import { ownPath } from '../../lib/own-path';
import { toApiError } from '../../lib/send-exchange';

const LINK = graphql(`
  query DeliverableContentLink($id: ID!, $version: Int!, $preview: Boolean!, $seconds: Int!) {
    deliverable(id: $id) {
      id
      version(number: $version) {
        contentUrl(preview: $preview, expiresInSeconds: $seconds)
      }
    }
  }
`);

/** Asks for a link to a version's content. Links expire, so each use gets its own. */
export function useContentLink(id: string, version: number) {
  const client = useClient();
  return async function link({ preview }: { preview: boolean }): Promise<string> {
    const variables = { id, version, preview, seconds: preview ? 3600 : 60 };
    const { data, error } = await client.query(LINK, variables, { requestPolicy: 'network-only' }).toPromise();
    if (error) throw toApiError(error);
    const url = data?.deliverable?.version?.contentUrl;
    if (url === undefined) throw new ApiError('NOT_FOUND', 'this version is not there any more');
    return ownPath(url);
  };
}

/** The address of a preview, which lasts an hour: long enough to load it once. */
export function usePreviewLink(id: string, version: number) {
  const [{ data, error }, ask] = useQuery({
    query: LINK,
    variables: { id, version, preview: true, seconds: 3600 },
    requestPolicy: 'network-only',
  });
  const url = data?.deliverable?.version?.contentUrl;
  return { path: url === undefined ? null : ownPath(url), error: error && url === undefined ? toApiError(error) : null, retry: () => ask() };
}
