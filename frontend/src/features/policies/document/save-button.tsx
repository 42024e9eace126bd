import { Stack, Text } from '@mantine/core';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { ConfirmButton } from '../../../components/confirm-button';
import { TextDiff } from '../../../components/text-diff';
import { graphql } from '../../../gql/documents';
import type { PolicyInForceFragment } from '../../../gql/types';
import { useCommand } from '../../../lib/use-command';
import type { Draft } from '../use-draft';

const SAVE = graphql(`
  mutation SavePolicy($input: SavePolicyInput!) {
    savePolicy(input: $input) {
      policy {
        version
      }
      problems {
        message
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface Props {
  policy: PolicyInForceFragment;
  draft: Draft;
  /** The server found nothing wrong with the draft as it is now. */
  ready: boolean;
  onSaved: () => void;
}

export function SaveButton({ policy, draft, ready, onSaved }: Props) {
  const save = useCommand(SAVE, { success: 'Saved, and in force from the next proposal on' });

  async function confirm(): Promise<boolean> {
    const payload = await save.run({ input: { document: draft.text, ...(draft.base === null ? {} : { baseVersion: draft.base }) } });
    if (!payload) return false;
    // The draft is let go of when what is in force says the same.
    onSaved();
    return true;
  }

  return (
    <ConfirmButton
      color="brand"
      leftSection={<IconDeviceFloppy size={16} aria-hidden />}
      disabled={!draft.changed || !ready || draft.outdated}
      title={`Save as version ${(policy.version ?? 0) + 1}?`}
      dialogSize="xl"
      explanation={
        <Stack gap="sm">
          <Text size="sm">It is in force at once, for every proposal from now on. What waits for people already is not changed by it.</Text>
          <TextDiff before={policy.document} after={draft.text} label="What you changed" />
        </Stack>
      }
      confirmLabel="Save and put in force"
      onConfirm={confirm}
    >
      Review and save
    </ConfirmButton>
  );
}
