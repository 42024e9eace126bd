import type { ConnectionData } from './pages';

/** Versions have no id: within what they are versions of, the number is as good. */
export function numbered<Version extends { readonly number: number }>({ nodes, ...rest }: ConnectionData<Version>) {
  return { ...rest, nodes: nodes.map((version) => ({ ...version, id: String(version.number) })) };
}

/** The pages of a list whose owner is not there. */
export const NO_ROWS: ConnectionData<never> = { nodes: [], pageInfo: { hasNextPage: false }, totalCount: 0 };
