import { useQuery } from 'urql';
import { graphql } from '../gql/documents';
import { useLibraryChanges } from '../lib/use-library-changes';
import { useRefresh } from '../lib/use-refresh';
import { SearchSelect, useSearch, type ChoiceProps } from './search-select';

const CHOICES = graphql(`
  query WorkflowChoices($search: String) {
    workflows(first: 50, filter: { search: $search }, orderBy: { field: NAME, direction: ASC }) {
      nodes {
        id
        name
      }
      pageInfo {
        hasNextPage
      }
    }
  }
`);

/** A choice among the workflows, for filters. */
export function WorkflowSelect(props: ChoiceProps) {
  const search = useSearch(props.value);
  const [{ data }, ask] = useQuery({ query: CHOICES, variables: { search: search.wanted } });
  const refresh = useRefresh(ask, 300);
  useLibraryChanges('workflow', () => {
    refresh();
    search.refresh();
  });
  return <SearchSelect aria-label="Workflow" placeholder="Any workflow" nothingFoundMessage="No workflow is called like that" {...props} search={search} found={data?.workflows} />;
}
