import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../gql/documents';

const PEOPLE = graphql(`
  query PeopleChoices($filter: UserFilter) {
    users(first: 20, filter: $filter, orderBy: { field: DISPLAY_NAME, direction: ASC }) {
      nodes {
        id
        displayName
        email
      }
    }
  }
`);

interface Props {
  label: string;
  value: string | null;
  onChange: (id: string | null) => void;
  /** Somebody who cannot be chosen. */
  except?: string;
  error?: string | undefined;
  placeholder?: string;
  /** Stands for the label where there is no room for one. */
  compact?: boolean;
}

/** Somebody of the workspace, found by name or address. */
export function PersonPicker({ label, value, onChange, except, error, placeholder = 'Search by name or address', compact = false }: Props) {
  const [search, setSearch] = useState('');
  const [text] = useDebouncedValue(search, 200);
  const [chosen, setChosen] = useState<{ value: string; label: string } | null>(null);
  const filter = { disabled: false, ...(text === '' || text === chosen?.label ? {} : { text }) };
  const [{ data }] = useQuery({ query: PEOPLE, variables: { filter } });
  const found = (data?.users.nodes ?? []).filter(({ id }) => id !== except).map((person) => ({ value: person.id, label: `${person.displayName} (${person.email})` }));
  const choices = chosen && !found.some((one) => one.value === chosen.value) ? [chosen, ...found] : found;
  return (
    <Select
      {...(compact ? { 'aria-label': label, w: { base: 'calc(50% - 6px)', xs: 220 } } : { label })}
      placeholder={placeholder}
      searchable
      clearable
      value={value}
      data={choices}
      searchValue={search}
      onSearchChange={setSearch}
      // The server has searched already.
      filter={({ options }) => options}
      nothingFoundMessage="Nobody found"
      error={error}
      onChange={(id) => {
        setChosen(choices.find((one) => one.value === id) ?? null);
        onChange(id);
      }}
    />
  );
}
