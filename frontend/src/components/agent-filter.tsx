import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../gql/documents';
import { useLibraryChanges } from '../lib/use-library-changes';
import { useRefresh } from '../lib/use-refresh';

const AGENTS = graphql(`
  query AgentChoices {
    agents(first: 100, orderBy: { field: NAME, direction: ASC }) {
      nodes {
        id
        name
      }
    }
  }
`);

/** A choice among the agents, for filters. */
export function AgentFilter({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const [{ data }, ask] = useQuery({ query: AGENTS });
  const refresh = useRefresh(ask, 300);
  useLibraryChanges('agent', refresh);
  return (
    <Select
      aria-label="Agent"
      placeholder="Any agent"
      searchable
      clearable
      w={{ base: 'calc(50% - 6px)', xs: 170 }}
      value={value}
      onChange={onChange}
      nothingFoundMessage="No such agent"
      data={(data?.agents.nodes ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
