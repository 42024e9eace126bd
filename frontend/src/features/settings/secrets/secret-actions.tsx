import { Group } from '@mantine/core';
import { ConfirmButton } from '../../../components/confirm-button';
import { graphql } from '../../../gql/documents';
import type { SecretRowFragment } from '../../../gql/types';
import { useCommand } from '../../../lib/use-command';
import { SetSecretButton } from './set-secret-button';

const DELETE = graphql(`
  mutation DeleteSecret($input: DeleteSecretInput!) {
    deleteSecret(input: $input) {
      deletedSecretId
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function SecretActions({ secret, onChanged }: { secret: SecretRowFragment; onChanged: () => void }) {
  const { name } = secret;
  const remove = useCommand(DELETE, { success: 'Deleted' });
  return (
    <Group gap={4} justify="flex-end">
      <SetSecretButton secret={secret} onSet={onChanged} />
      <ConfirmButton
        size="compact-sm"
        variant="subtle"
        color="red"
        title={`Delete ${name}?`}
        explanation="Agents that refer to it fail until it is set again."
        confirmLabel="Delete"
        onConfirm={async () => {
          const payload = await remove.run({ input: { name } });
          if (payload) onChanged();
          return payload !== null;
        }}
      >
        Delete
      </ConfirmButton>
    </Group>
  );
}
