import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { CodeText } from '../../../lib/code-text';
import { describe, type ApiError } from '../../../lib/errors';
import { useFollowing } from '../../../lib/use-following';

interface Props {
  name: string;
  description: string;
  submitLabel: string;
  pending: boolean;
  error: ApiError | null;
  onSubmit: (group: { name: string; description: string }) => Promise<void>;
}

export function GroupForm({ name: firstName, description: firstDescription, submitLabel, pending, error, onSubmit }: Props) {
  const [name, setName] = useFollowing(firstName);
  const [description, setDescription] = useFollowing(firstDescription);
  function submit() {
    // As the server will keep it.
    setName(name.trim());
    void onSubmit({ name: name.trim(), description });
  }
  return (
    <Stack component="form" gap="sm" onSubmit={(event) => (event.preventDefault(), submit())}>
      <TextInput label="Name" description="Policies use it exactly as it is written" required value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} error={error ? <CodeText>{describe(error)}</CodeText> : null} data-autofocus />
      <Textarea label="What it is for" autosize minRows={2} value={description} onChange={({ currentTarget }) => setDescription(currentTarget.value)} />
      <Group justify="flex-end">
        <Button type="submit" loading={pending} disabled={name.trim() === '' || (name === firstName && description === firstDescription)}>
          {submitLabel}
        </Button>
      </Group>
    </Stack>
  );
}
