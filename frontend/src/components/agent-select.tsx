import { useQuery } from 'urql';
import { graphql } from '../gql/documents';
import { useLibraryChanges } from '../lib/use-library-changes';
import { useRefresh } from '../lib/use-refresh';
import { SearchSelect, useSearch, type ChoiceProps } from './search-select';

const CHOICES = graphql(`
  query AgentChoices($search: String) {
    agents(first: 50, filter: { search: $search }, orderBy: { field: NAME, direction: ASC }) {
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

/** A choice among the agents, for filters. */
export function AgentSelect(props: ChoiceProps) {
  const search = useSearch(props.value);
  const [{ data }, ask] = useQuery({ query: CHOICES, variables: { search: search.wanted } });
  const refresh = useRefresh(ask, 300);
  // An agent keeps its name, so there is nothing new to know of the one that is chosen.
  useLibraryChanges('agent', refresh);
  return <SearchSelect aria-label="Agent" placeholder="Any agent" nothingFoundMessage="No agent is called like that" {...props} search={search} found={data?.agents} />;
}
