import { Alert, Box, Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArrowsDiff } from '@tabler/icons-react';
import { ConfirmButton } from '../../components/confirm-button';
import { RelativeTime } from '../../components/relative-time';
import { TextDiff } from '../../components/text-diff';
import type { WorkflowDetailFragment } from '../../gql/types';
import { textOf } from './model/document';
import type { Definition } from './use-definition';

/** Somebody else saved while this was being written. Nothing is taken away: it can be compared, taken over or replaced. */
export function NewerDefinition({ workflow, document }: { workflow: WorkflowDetailFragment; document: Definition }) {
  const [shown, { toggle }] = useDisclosure(false);
  const { draft, latestVersion: latest } = workflow;
  const definition = (draft ?? latest)?.definition;
  const version = latest?.number === document.base ? null : latest;
  const [title, at, by] = version
    ? [`There is version ${version.number} by now`, version.createdAt, version.createdBy.displayName]
    : draft
      ? ['There is a newer draft by now', draft.updatedAt, draft.updatedBy.displayName]
      : ['The draft was thrown away', workflow.updatedAt, null];
  return (
    <Alert color="yellow" icon={<IconArrowsDiff size={20} />} title={title} mb="md">
      <Text size="sm" component="div">
        {by ?? 'Somebody'} did this <RelativeTime at={at} />, while you were writing. What you wrote is still here and not saved.
      </Text>
      {shown && (
        <Box mt="sm">
          <TextDiff before={textOf(definition, document.format)} after={document.text} label="What differs in your text" />
        </Box>
      )}
      <Group gap="xs" mt="sm">
        <Button size="xs" variant="default" aria-expanded={shown} onClick={toggle}>
          {shown ? 'Hide the difference' : 'Show the difference'}
        </Button>
        <Button size="xs" variant="default" onClick={document.insist}>
          Go on with mine
        </Button>
        <ConfirmButton size="xs" variant="subtle" title="Take over what was saved?" explanation="What you wrote is lost." confirmLabel="Take it over" onConfirm={async () => (document.load(definition, latest?.number ?? null), true)}>
          Take over theirs
        </ConfirmButton>
      </Group>
    </Alert>
  );
}
