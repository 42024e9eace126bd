import { useRef, useState } from 'react';
import { useClient, type AnyVariables, type TypedDocumentNode } from 'urql';
import { CommandError, describe, type ApiError, type UserError } from './errors';
import { showFailure, showSuccess } from './notify';
import { toApiError } from './send-exchange';

/** A mutation's payload: documents for commands have one field. */
type PayloadOf<Data> = NonNullable<Data[Exclude<keyof Data, '__typename'>]>;

interface Options {
  /** Said in a toast when it worked. */
  success?: string;
  /** The caller shows failures itself, beside the control; otherwise a toast does. */
  quiet?: boolean;
}

/**
 * A mutation that a person starts. `run` resolves to the payload, or to null when it failed; then `error` says why, with the
 * `userErrors` if it was refused. Optimistic changes are rolled back by then (see cache.ts).
 */
export function useCommand<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
  { success, quiet = false }: Options = {},
) {
  const client = useClient();
  const running = useRef(0);
  const [state, setState] = useState<{ pending: boolean; error: ApiError | null }>({ pending: false, error: null });

  async function run(variables: Variables): Promise<PayloadOf<Data> | null> {
    running.current += 1;
    setState({ pending: true, error: null });
    const result = await client.mutation(document, variables).toPromise();
    running.current -= 1;
    const error = result.error ? toApiError(result.error) : refusalOf(result.data);
    setState({ pending: running.current > 0, error });
    if (error && !quiet) showFailure(describe(error));
    if (error || !result.data) return null;
    if (success !== undefined) showSuccess(success);
    return payloadOf<Data>(result.data);
  }

  return { ...state, run, reset: () => setState({ pending: false, error: null }) };
}

function payloadOf<Data>(data: NonNullable<Data>): PayloadOf<Data> {
  const field = Object.keys(data).find((name) => name !== '__typename');
  return (data as Record<string, unknown>)[field ?? ''] as PayloadOf<Data>;
}

/** The refusal in a mutation's answer, if it is one. */
export function refusalOf(data: unknown): CommandError | null {
  const payload = payloadOf<unknown>(data ?? {}) as { userErrors?: readonly UserError[] } | undefined;
  const first = payload?.userErrors?.[0];
  return first ? new CommandError(first, payload?.userErrors ?? [], payload) : null;
}
