import { Button, Group } from '@mantine/core';
import { ConfirmButton } from '../../../components/confirm-button';
import { graphql } from '../../../gql/documents';
import type { ServiceAccountRowFragment } from '../../../gql/types';
import { useCommand } from '../../../lib/use-command';
import { NameButton } from './name-button';

const DISABLE = graphql(`
  mutation DisableServiceAccount($input: DisableServiceAccountInput!) {
    disableServiceAccount(input: $input) {
      serviceAccount {
        ...ServiceAccountRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const ENABLE = graphql(`
  mutation EnableServiceAccount($input: EnableServiceAccountInput!) {
    enableServiceAccount(input: $input) {
      serviceAccount {
        ...ServiceAccountRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function ServiceAccountActions({ account, onChanged }: { account: ServiceAccountRowFragment; onChanged: () => void }) {
  const disable = useCommand(DISABLE, { success: 'Disabled' });
  const enable = useCommand(ENABLE, { success: 'Enabled' });
  const input = { serviceAccountId: account.id };

  async function change(run: Promise<unknown>): Promise<boolean> {
    const done = (await run) !== null;
    if (done) onChanged();
    return done;
  }

  return (
    <Group gap={4} justify="flex-end">
      <NameButton account={account} onChanged={onChanged} />
      {account.disabledAt === null ? (
        <ConfirmButton
          size="compact-sm"
          variant="subtle"
          color="red"
          title={`Disable ${account.name}?`}
          explanation="All its tokens stop working at once, and their open connections end. You can enable it again."
          confirmLabel="Disable"
          onConfirm={() => change(disable.run({ input }))}
        >
          Disable
        </ConfirmButton>
      ) : (
        <Button size="compact-sm" variant="subtle" loading={enable.pending} onClick={() => void change(enable.run({ input }))}>
          Enable
        </Button>
      )}
    </Group>
  );
}
