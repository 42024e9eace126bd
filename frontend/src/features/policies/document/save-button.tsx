import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconDeviceFloppy } from '@tabler/icons-react';
import { ConfirmButton } from '../../../components/confirm-button';
import { TextDiff } from '../../../components/text-diff';
import { showWaitsForReview } from '../../../components/waits-for-review';
import { graphql } from '../../../gql/documents';
import type { PolicyInForceFragment } from '../../../gql/types';
import { CodeText } from '../../../lib/code-text';
import { showSuccess } from '../../../lib/notify';
import { useCommand } from '../../../lib/use-command';
import { sentence, type Problem } from '../model/problems';
import type { Draft } from '../use-draft';

const SAVE = graphql(`
  mutation SavePolicy($input: SavePolicyInput!) {
    savePolicy(input: $input) {
      policy {
        version
      }
      review {
        id
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
  /** What is probably a mistake: whoever saves it all the same has seen it. */
  warnings: readonly Problem[];
  /** The server found nothing wrong with the draft as it is now. */
  ready: boolean;
  onSaved: () => void;
}

export function SaveButton({ policy, draft, warnings, ready, onSaved }: Props) {
  const save = useCommand(SAVE);

  async function confirm(): Promise<boolean> {
    const payload = await save.run({ input: { document: draft.text, ...(draft.base === null ? {} : { baseVersion: draft.base }) } });
    if (!payload) return false;
    if (payload.review) {
      showWaitsForReview(payload.review);
      return true;
    }
    showSuccess('Saved, and in force now.');
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
          <Text size="sm">It is in force at once. Where it asks for more than before, that also holds for what already waits.</Text>
          {warnings.length > 0 && (
            <Alert color="yellow" icon={<IconAlertTriangle size={20} />} title={warnings.length === 1 ? 'One warning' : `${warnings.length} warnings`}>
              {warnings.map(({ line, message }) => (
                <Text size="sm" key={`${line} ${message}`}>
                  <CodeText>{sentence(message)}</CodeText>
                </Text>
              ))}
            </Alert>
          )}
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
