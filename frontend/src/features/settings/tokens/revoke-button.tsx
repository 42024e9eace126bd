import { ConfirmButton } from '../../../components/confirm-button';
import { graphql } from '../../../gql/documents';
import type { ApiTokenRowFragment } from '../../../gql/types';
import { useCommand } from '../../../lib/use-command';

const REVOKE = graphql(`
  mutation RevokeApiToken($input: RevokeApiTokenInput!) {
    revokeApiToken(input: $input) {
      apiToken {
        ...ApiTokenRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function RevokeButton({ token }: { token: ApiTokenRowFragment }) {
  const revoke = useCommand(REVOKE, { success: 'Revoked' });
  if (token.status !== 'ACTIVE' && token.status !== 'OWNER_DISABLED') return null;
  return (
    <ConfirmButton
      size="compact-sm"
      variant="subtle"
      color="red"
      style={{ flex: 'none' }}
      title={`Revoke ${token.name}?`}
      explanation="Programs that use it stop working at once, and their open connections end. This cannot be undone."
      confirmLabel="Revoke"
      onConfirm={async () => (await revoke.run({ input: { apiTokenId: token.id } })) !== null}
    >
      Revoke
    </ConfirmButton>
  );
}
