import { Select } from '@mantine/core';
import { useQuery } from 'urql';
import { graphql } from '../gql/documents';

const WORKFLOWS = graphql(`
  query WorkflowChoices {
    workflows(first: 100, orderBy: { field: NAME, direction: ASC }) {
      nodes {
        id
        name
      }
    }
  }
`);

/** A choice among the workflows, for filters. */
export function WorkflowFilter({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const [{ data }] = useQuery({ query: WORKFLOWS });
  return (
    <Select
      aria-label="Workflow"
      placeholder="Any workflow"
      searchable
      clearable
      w={{ base: 'calc(50% - 6px)', xs: 190 }}
      value={value}
      onChange={onChange}
      nothingFoundMessage="No such workflow"
      data={(data?.workflows.nodes ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
