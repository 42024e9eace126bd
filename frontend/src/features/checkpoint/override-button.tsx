import { Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button';
import { RelativeTime } from '../../components/relative-time';
import { graphql } from '../../gql/documents';
import { useCommand } from '../../lib/use-command';
import { useViewer } from '../../lib/use-viewer';
import type { Checkpoint } from './use-checkpoint';

const OVERRIDE = graphql(`
  mutation OverrideAutoApproval($input: OverrideAutoApprovalInput!) {
    overrideAutoApproval(input: $input) {
      checkpoint {
        id
        overriddenAt
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** Says that a rule should not have approved it: the rule learns from that, what was done stays done. */
export function OverrideButton({ checkpoint: { id, overriddenAt } }: { checkpoint: Checkpoint }) {
  const { can } = useViewer();
  const override = useCommand(OVERRIDE, { success: 'The rule will be measured by it.' });
  if (overriddenAt !== null) {
    return (
      <Text size="sm" fw={600} mt="xs" component="div">
        Somebody said <RelativeTime at={overriddenAt} /> that they would not have approved it.
      </Text>
    );
  }
  if (!can('APPROVER')) return null;
  return (
    <ConfirmButton
      mt="sm"
      size="xs"
      variant="default"
      title="The rule should not have approved this"
      explanation="What was done stays done. But the rule is measured by what people say, and may have to ask them again."
      confirmLabel="I would not have approved it"
      reason={{ label: 'Why not?', required: true }}
      onConfirm={async (reason) => (await override.run({ input: { checkpointId: id, reason } })) !== null}
    >
      I would not have approved this…
    </ConfirmButton>
  );
}
