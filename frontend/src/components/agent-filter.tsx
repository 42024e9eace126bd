import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../gql/documents';

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
  const [{ data }] = useQuery({ query: AGENTS });
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
