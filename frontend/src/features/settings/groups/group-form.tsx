import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { describe, type ApiError } from '../../../lib/errors';

interface Props {
  name: string;
  description: string;
  submitLabel: string;
  pending: boolean;
  error: ApiError | null;
  onSubmit: (group: { name: string; description: string }) => Promise<void>;
}

export function GroupForm({ name: firstName, description: firstDescription, submitLabel, pending, error, onSubmit }: Props) {
  const [name, setName] = useState(firstName);
  const [description, setDescription] = useState(firstDescription);
  return (
    <Stack component="form" gap="sm" onSubmit={(event) => (event.preventDefault(), void onSubmit({ name, description }))}>
      <TextInput label="Name" description="Policies use it exactly as it is written" required value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} error={error ? describe(error) : null} data-autofocus />
      <Textarea label="What it is for" autosize minRows={2} value={description} onChange={({ currentTarget }) => setDescription(currentTarget.value)} />
      <Group justify="flex-end">
        <Button type="submit" loading={pending} disabled={name.trim() === '' || (name === firstName && description === firstDescription)}>
          {submitLabel}
        </Button>
      </Group>
    </Stack>
  );
}
