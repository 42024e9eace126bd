import { makeErrorResult, makeResult, stringifyDocument, type CombinedError, type Exchange } from '@urql/core';
import { filter, fromPromise, merge, mergeMap, pipe, takeUntil } from 'wonka';
import type { createApi } from './api';
import { ApiError } from './errors';

/** Queries and mutations over HTTP, by the same way as everything else on the page: with the session, renewed when it expired. */
export function sendExchange(send: ReturnType<typeof createApi>): Exchange {
  return ({ forward }) =>
    (operations) => {
      const ours = (kind: string) => kind === 'query' || kind === 'mutation';
      const results = pipe(
        operations,
        filter(({ kind }) => ours(kind)),
        mergeMap((operation) => {
          const ended = pipe(
            operations,
            filter(({ kind, key }) => kind === 'teardown' && key === operation.key),
          );
          const request = { query: stringifyDocument(operation.query), variables: operation.variables as Record<string, unknown> };
          const result = send(request).then(
            ({ answer, retryAfterSeconds }) =>
              answer.data === undefined && answer.errors
                ? makeErrorResult(operation, refusal(answer.errors, retryAfterSeconds))
                : makeResult(operation, answer as Parameters<typeof makeResult>[1]),
            (error: Error) => makeErrorResult(operation, error),
          );
          return pipe(fromPromise(result), takeUntil(ended));
        }),
      );
      const rest = pipe(
        operations,
        filter(({ kind }) => !ours(kind)),
        forward,
      );
      return merge([results, rest]);
    };
}

type Faults = NonNullable<Awaited<ReturnType<ReturnType<typeof createApi>>>['answer']['errors']>;

/** Nothing came of the operation: what the server said about it is all there is. */
function refusal(faults: Faults, retryAfterSeconds: number | null): ApiError {
  const first = faults[0];
  return new ApiError(first?.extensions?.code ?? 'INTERNAL', first?.message ?? 'The server sent an empty answer.', retryAfterSeconds);
}

/** The failure of a urql result as the error that the rest of the code knows. */
export function toApiError(error: CombinedError): ApiError {
  if (error.networkError instanceof ApiError) return error.networkError;
  const fault = error.graphQLErrors[0];
  if (!fault) return new ApiError('UNREACHABLE', error.message);
  const { code } = fault.extensions;
  return new ApiError(typeof code === 'string' ? code : 'INTERNAL', fault.message);
}
