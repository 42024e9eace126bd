import { Button, Group, NumberInput, Switch } from '@mantine/core';
import { ConfirmButton } from '../../../components/confirm-button';
import { graphql } from '../../../gql/documents';
import type { WorkspaceSettingsFragment } from '../../../gql/types';
import { CodeText } from '../../../lib/code-text';
import { describe } from '../../../lib/errors';
import { useCommand } from '../../../lib/use-command';
import { useFollowing } from '../../../lib/use-following';
import { Section } from '../section';

const SET = graphql(`
  mutation SetDeliverableRetention($input: SetDeliverableRetentionInput!) {
    setDeliverableRetention(input: $input) {
      workspace {
        ...WorkspaceSettings
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** How long content lasts. To shorten it deletes something, so that is asked for. */
export function RetentionSection({ workspace }: { workspace: WorkspaceSettingsFragment }) {
  const now = workspace.deliverableRetentionDays;
  const [days, setDays] = useFollowing<number | null>(now);
  const set = useCommand(SET, { success: 'Saved', quiet: true });
  const save = async () => (await set.run({ input: { days } })) !== null;
  const shorter = days !== null && (now === null || days < now);
  return (
    <Section title="Archived deliverables" explanation="Their record, sizes and hashes always stay.">
      <Group align="flex-end" gap="sm">
        <Switch label="Delete the content of what has been archived" checked={days !== null} onChange={({ currentTarget }) => setDays(currentTarget.checked ? 90 : null)} w="100%" />
        {days !== null && (
          <NumberInput label="After so many days" value={days} onChange={(value) => setDays(Number(value) || 1)} min={1} max={36_500} w={180} error={set.error ? <CodeText>{describe(set.error)}</CodeText> : null} />
        )}
        {shorter ? (
          <ConfirmButton
            color="brand"
            disabled={days === now}
            title={`Delete archived content after ${days} ${days === 1 ? 'day' : 'days'}?`}
            explanation="What has been archived for longer is deleted soon after you save this, and cannot be brought back."
            confirmLabel="Save"
            onConfirm={save}
          >
            Save
          </ConfirmButton>
        ) : (
          <Button loading={set.pending} disabled={days === now} onClick={() => void save()}>
            Save
          </Button>
        )}
      </Group>
    </Section>
  );
}
