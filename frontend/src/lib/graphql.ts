import { ApiError } from './errors';
import { parseExact, stringifyExact } from './exact-json';

export const GRAPHQL_PATH = '/graphql';

export interface Operation {
  query: string;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

export interface Answer<Data = unknown> {
  data?: Data | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

export interface Reply<Data = unknown> {
  status: number;
  retryAfterSeconds: number | null;
  answer: Answer<Data>;
}

export interface PostOptions {
  token?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** The browser is to hear the answer even if the page goes away meanwhile. For small operations. */
  outlivesPage?: boolean | undefined;
}

export type Post = <Data>(operation: Operation, options?: PostOptions) => Promise<Reply<Data>>;

/** Sends one operation. Errors that the server reports are part of the reply; only silence and noise are thrown. */
export function createPost(fetchImpl: typeof fetch): Post {
  return async <Data>(operation: Operation, { token, headers, outlivesPage = false }: PostOptions = {}) => {
    try {
      const response = await fetchImpl(GRAPHQL_PATH, {
        method: 'POST',
        credentials: 'same-origin',
        keepalive: outlivesPage,
        headers: {
          accept: 'application/graphql-response+json, application/json',
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: stringifyExact(operation),
      });
      const answer = parseExact(await response.text());
      if (!isAnswer<Data>(answer)) throw new TypeError('not a GraphQL response');
      return { status: response.status, retryAfterSeconds: retryAfter(response), answer };
    } catch (cause) {
      // A proxy's HTML error page and a dropped connection are the same to the person who waits.
      throw new ApiError('UNREACHABLE', String(cause));
    }
  };
}

/** Browsers drop what a page asks for while it goes, unless told to keep it, which they do for at most so much. */
const KEPT_BYTES = 60_000;

let leaving = false;
if (typeof window !== 'undefined') {
  addEventListener('pagehide', () => (leaving = true));
  addEventListener('pageshow', () => (leaving = false));
}

function mayBeLast(body: unknown): boolean {
  return (leaving || document.visibilityState === 'hidden') && typeof body === 'string' && body.length < KEPT_BYTES;
}

export const post: Post = createPost((input, init) => fetch(input, { ...init, keepalive: init?.keepalive === true || mayBeLast(init?.body) }));

/** The data of a reply, or its first top-level error as an exception. */
export function dataOf<Data>({ answer, retryAfterSeconds }: Reply<Data>): Data {
  const fault = answer.errors?.[0];
  if (fault) throw new ApiError(fault.extensions?.code ?? 'INTERNAL', fault.message, retryAfterSeconds);
  if (answer.data === null || answer.data === undefined) throw new ApiError('INTERNAL', 'The server sent an empty answer.');
  return answer.data;
}

/** Refused before anything ran, so the same operation may safely be sent again with another token. */
export function isUnauthenticated({ status, answer }: Reply): boolean {
  if (status === 401) return true;
  return !answer.data && (answer.errors ?? []).some((fault) => fault.extensions?.code === 'UNAUTHENTICATED');
}

function isAnswer<Data>(value: unknown): value is Answer<Data> {
  return typeof value === 'object' && value !== null && ('data' in value || 'errors' in value);
}

function retryAfter(response: Response): number | null {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return Number.isNaN(seconds) ? null : seconds;
}
