import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useClient, type AnyVariables, type TypedDocumentNode } from 'urql';
import { createPages, type ConnectionData } from './pages';

/**
 * A list of the API as rows: `rows`, `hasMore` and `loadMore` for the list component, `refresh` for the live handler
 * (`refreshHead` where new rows only come at the start). The
 * document has a variable `$after`, and selects `nodes { id … }`, `pageInfo { hasNextPage endCursor }` and `totalCount`.
 * `select` has to be a constant function.
 */
export function useConnection<Data, Variables extends AnyVariables, Row extends { readonly id: string }>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  select: (data: Data) => ConnectionData<Row>,
) {
  const client = useClient();
  const key = JSON.stringify(variables);
  const pages = useMemo(
    () =>
      createPages({
        client,
        document: document as TypedDocumentNode<Data, Record<string, unknown>>,
        variables: JSON.parse(key) as Record<string, unknown>,
        select,
      }),
    [client, document, key, select],
  );
  useEffect(() => {
    void pages.refresh();
    return pages.stop;
  }, [pages]);
  const state = useSyncExternalStore(pages.subscribe, pages.state);
  return { ...state, loadMore: pages.loadMore, refresh: pages.refresh, refreshHead: pages.refreshHead, watch: pages.watch, watchRows: pages.watchRows };
}
