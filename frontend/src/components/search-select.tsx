import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../gql/documents';
import { Plain } from '../lib/plain';
import { useRefresh } from '../lib/use-refresh';
import { choicesOf, MORE, nameOf, narrowed, type Choice, type Found } from './model/choices';

/*
 * A choice among more than a page can hold: the server searches, the list shows the first that fit, and what is chosen has its
 * name also when it is not among them, as after a link was opened.
 */

const CHOSEN = graphql(`
  query Chosen($id: ID!) {
    node(id: $id) {
      id
      ... on Workflow {
        name
      }
      ... on Agent {
        name
      }
      ... on User {
        displayName
        email
      }
    }
  }
`);

/** What is chosen, and what the server is to search for. */
export function useSearch(value: string | null) {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text, 250);
  const [{ data }, ask] = useQuery({ query: CHOSEN, variables: { id: value ?? '' }, pause: value === null });
  const refresh = useRefresh(ask, 300);
  const name = data?.node && data.node.id === value ? nameOf(data.node) : null;
  return {
    text,
    setText,
    name,
    // The field shows the name of what is chosen, which is nothing to search for.
    wanted: settled === '' || settled === name ? null : settled,
    settled: settled === text,
    /** Asks again for the name of what is chosen. */
    refresh: () => value !== null && refresh(),
  };
}

/** What a page says about a choice. */
export interface ChoiceProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  value: string | null;
  onChange: (id: string | null) => void;
}

interface Props extends ChoiceProps {
  search: ReturnType<typeof useSearch>;
  /** What the server found last; undefined before its first answer. */
  found: Found | undefined;
  /** The server has been asked, and has not answered yet. */
  looking: boolean;
  /** Somebody or something that cannot be chosen. */
  except?: string | undefined;
}

export function SearchSelect({ search, found, looking, except, value, onChange, nothingFoundMessage, ...rest }: Props) {
  // Until the server has told its name, what was picked keeps the one that it had in the list.
  const [picked, setPicked] = useState<{ id: string; name: string } | null>(null);
  const name = search.name ?? (picked?.id === value ? picked.name : null);
  const waiting = looking || !search.settled;
  const data = choicesOf(found, value === null || name === null ? null : { id: value, name }, except);
  return (
    <Select
      {...rest}
      data={data}
      value={value}
      onChange={(id, choice) => {
        setPicked(choice && { id: choice.value, name: choice.label });
        onChange(id);
      }}
      searchable
      clearable
      searchValue={search.text}
      onSearchChange={search.setText}
      // The server searches among all. Until it answers, what it found before is narrowed down by the same rule: were it to vanish
      // only with the answer, it would do so under somebody's finger.
      filter={({ options }) => (search.text === (name ?? '') ? options : narrowed(options as Choice[], search.text, !waiting))}
      nothingFoundMessage={waiting ? 'Looking…' : nothingFoundMessage}
      renderOption={({ option }) => (option.value === MORE ? <em>{option.label}</em> : <Plain>{option.label}</Plain>)}
    />
  );
}
