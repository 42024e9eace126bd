import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

interface Props {
  label: string;
  value: string;
  /** Told when somebody pauses. */
  onChange: (value: string) => void;
}

/** A field to search a list with: the server is asked when one stops typing, not for each letter. */
export function SearchField({ label, value, onChange }: Props) {
  // What is being typed; otherwise the field follows the value, which may change without it, as by the back button.
  const [typed, setTyped] = useState<string | null>(null);
  const tell = useDebouncedCallback(onChange, 250);
  const text = typed ?? value;
  const change = (next: string) => {
    setTyped(next);
    tell(next);
  };
  const leave = () => {
    if (typed !== null && typed !== value) onChange(typed);
    setTyped(null);
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onBlur={leave}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text === '' ? null : <CloseButton size="sm" aria-label="Clear the search" onClick={() => change('')} />}
      w={{ base: '100%', xs: 220 }}
    />
  );
}
