import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../gql/documents';
import { useLibraryChanges } from '../lib/use-library-changes';
import { useRefresh } from '../lib/use-refresh';

const CHOICES = graphql(`
  query WorkflowChoices($search: String) {
    workflows(first: 50, filter: { search: $search }, orderBy: { field: NAME, direction: ASC }) {
      nodes {
        id
        name
      }
    }
  }
`);

const CHOSEN = graphql(`
  query WorkflowChosen($id: ID!) {
    node(id: $id) {
      id
      ... on Workflow {
        name
      }
    }
  }
`);

/** Chooses a workflow by name. The server searches: a workspace may have thousands. */
export function WorkflowSelect({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text, 250);
  const [{ data: chosen }] = useQuery({ query: CHOSEN, variables: { id: value ?? '' }, pause: value === null });
  const name = value !== null && chosen?.node && 'name' in chosen.node ? chosen.node.name : null;
  // The field shows the name of what is chosen, which is nothing to search for.
  const [{ data }, ask] = useQuery({ query: CHOICES, variables: { search: search === '' || search === name ? null : search } });
  const refresh = useRefresh(ask, 300);
  useLibraryChanges('workflow', refresh);
  const options = new Map((data?.workflows.nodes ?? []).map((node) => [node.id, node.name]));
  if (value !== null && name !== null) options.set(value, name);
  return (
    <Select
      aria-label="Workflow"
      placeholder="Any workflow"
      data={[...options].map(([id, label]) => ({ value: id, label }))}
      value={value}
      onChange={onChange}
      searchable
      searchValue={text}
      onSearchChange={setText}
      nothingFoundMessage="No workflow is called like that"
      clearable
      flex="1 1 170px"
      maw={{ sm: 230 }}
    />
  );
}
