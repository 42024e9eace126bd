import { useQuery, type TypedDocumentNode } from 'urql';
import { graphql } from '../gql/documents';
import { words } from '../lib/format';
import { useLibraryChanges } from '../lib/use-library-changes';
import { useRefresh } from '../lib/use-refresh';
import type { Found } from './model/choices';
import { SearchSelect, useSearch, type ChoiceProps } from './search-select';

const AGENTS = graphql(`
  query AgentChoices($search: String) {
    found: agents(first: 50, filter: { search: $search }, orderBy: { field: NAME, direction: ASC }) {
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

const WORKFLOWS = graphql(`
  query WorkflowChoices($search: String) {
    found: workflows(first: 50, filter: { search: $search }, orderBy: { field: NAME, direction: ASC }) {
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

interface Props extends ChoiceProps {
  kind: 'agent' | 'workflow';
  choices: TypedDocumentNode<{ found: Found }, { search?: string | null }>;
}

function LibrarySelect({ kind, choices, ...props }: Props) {
  const search = useSearch(props.value);
  const [{ data, fetching }, ask] = useQuery({ query: choices, variables: { search: search.wanted } });
  const refresh = useRefresh(ask, 300);
  useLibraryChanges(kind, () => {
    refresh();
    search.refresh();
  });
  return <SearchSelect aria-label={words(kind)} placeholder={`Any ${kind}`} nothingFoundMessage={`No ${kind} is called like that`} {...props} search={search} found={data?.found} looking={fetching} />;
}

/** A choice among the agents, for filters. */
export const AgentSelect = (props: ChoiceProps) => <LibrarySelect kind="agent" choices={AGENTS} {...props} />;

/** A choice among the workflows, for filters. */
export const WorkflowSelect = (props: ChoiceProps) => <LibrarySelect kind="workflow" choices={WORKFLOWS} {...props} />;
