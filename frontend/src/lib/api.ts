import { apiToken, type ApiTokenStore } from './api-token';
import { ApiError } from './errors';
import { isUnauthenticated, post, type Operation, type Post, type PostOptions, type Reply } from './graphql';
import { session, type Session } from './session';

interface ApiDeps {
  post: Post;
  session: Pick<Session, 'token' | 'replace'>;
  apiToken: Pick<ApiTokenStore, 'read'>;
}

/** Sends operations as whoever is using the page: the API token if one is kept, otherwise the session. */
export function createApi(deps: ApiDeps) {
  return async function send<Data>(operation: Operation, options: Pick<PostOptions, 'headers'> = {}): Promise<Reply<Data>> {
    const chosen = deps.apiToken.read();
    if (chosen !== null) return deps.post<Data>(operation, { ...options, token: chosen });

    const token = await deps.session.token();
    if (token === null) throw new ApiError('UNAUTHENTICATED', 'You are signed out.');
    const reply = await deps.post<Data>(operation, { ...options, token });
    if (!isUnauthenticated(reply)) return reply;

    const renewed = await deps.session.replace(token);
    return renewed === null ? reply : deps.post<Data>(operation, { ...options, token: renewed });
  };
}

export const send = createApi({ post, session, apiToken });
