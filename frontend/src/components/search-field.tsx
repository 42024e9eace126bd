import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

interface Props {
  label: string;
  /** What the address says. */
  value: string;
  /** Null for an empty field. */
  onChange: (value: string | null) => void;
}

/** A filter by text. It waits for the end of a word: each change is another question to the server. */
export function SearchField({ label, value, onChange }: Props) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const send = useDebouncedCallback((next: string) => onChange(next === '' ? null : next), 300);
  // "Clear filters" and the back button change the address without this field.
  if (known !== value) {
    setKnown(value);
    if (text.trim() !== value) setText(value);
  }
  const change = (next: string) => {
    setText(next);
    send(next.trim());
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text === '' ? null : <CloseButton size="sm" aria-label="Clear the search" onClick={() => change('')} />}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      flex="1 1 150px"
      maw={{ sm: 300 }}
    />
  );
}
