import { useQuery, type AnyVariables, type UseQueryArgs } from 'urql';
import { useDirectoryChanges } from '../../lib/use-directory-changes';
import { useRefresh } from '../../lib/use-refresh';

/** A question about people, groups or the workspace; it is asked again when anybody changed something about them. */
export function useDirectoryQuery<Data, Variables extends AnyVariables>(question: UseQueryArgs<Variables, Data>) {
  const [{ data, error }, ask] = useQuery(question);
  const refresh = useRefresh(ask, 50);
  useDirectoryChanges(refresh);
  return { data, error, refresh };
}
