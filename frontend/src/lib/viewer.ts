import { send } from './api';
import { ApiError } from './errors';
import { dataOf, isUnauthenticated, post } from './graphql';

export interface Viewer {
  displayName: string;
  workspace: { name: string; slug: string };
  roles: string[];
}

const VIEWER_QUERY = 'query Viewer { viewer { displayName workspace { name slug } roles } }';

/** Who is using the page; rejects with UNAUTHENTICATED when the server does not know. */
export async function fetchViewer(): Promise<Viewer> {
  return viewerOf(dataOf(await send<{ viewer: Viewer | null }>({ query: VIEWER_QUERY })));
}

/** Asks the server about a pasted API token before it is kept, so that a typo is found where it was made. */
export async function checkApiToken(token: string): Promise<Viewer> {
  const reply = await post<{ viewer: Viewer | null }>({ query: VIEWER_QUERY }, { token });
  if (isUnauthenticated(reply)) {
    throw new ApiError('UNAUTHENTICATED', 'The server does not accept this token. It may be mistyped, expired or revoked.');
  }
  return viewerOf(dataOf(reply));
}

function viewerOf({ viewer }: { viewer: Viewer | null }): Viewer {
  if (viewer === null) throw new ApiError('UNAUTHENTICATED', 'The server does not know who you are.');
  return viewer;
}
