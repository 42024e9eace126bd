import { IconHistory } from '@tabler/icons-react';
import { ConfirmButton } from '../../../components/confirm-button';
import { graphql } from '../../../gql/documents';
import { useCommand } from '../../../lib/use-command';

const RESTORE = graphql(`
  mutation RestorePolicyVersion($input: RestorePolicyVersionInput!) {
    restorePolicyVersion(input: $input) {
      policy {
        version
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function RestoreButton({ number, base, onRestored }: { number: number; base: number | null; onRestored: () => void }) {
  const restore = useCommand(RESTORE, { success: `Version ${number} is in force again` });
  return (
    <ConfirmButton
      size="xs"
      variant="default"
      color="brand"
      leftSection={<IconHistory size={15} aria-hidden />}
      title={`Put version ${number} in force again?`}
      explanation="It becomes the newest version, and is in force at once. The versions in between stay."
      confirmLabel="Restore"
      onConfirm={async () => {
        const payload = await restore.run({ input: { version: number, ...(base === null ? {} : { baseVersion: base }) } });
        if (payload) onRestored();
        return payload !== null;
      }}
    >
      Restore
    </ConfirmButton>
  );
}
