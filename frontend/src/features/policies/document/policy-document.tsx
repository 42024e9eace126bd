import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { CodeEditor } from '../../../components/code-editor/code-editor';
import type { PolicyInForceFragment } from '../../../gql/types';
import { useViewer } from '../../../lib/use-viewer';
import type { Draft } from '../use-draft';
import { ProblemList } from './problem-list';
import { SaveButton } from './save-button';
import { useValidation } from './use-validation';

interface Props {
  policy: PolicyInForceFragment;
  draft: Draft;
  onSaved: () => void;
}

export function PolicyDocument({ policy, draft, onSaved }: Props) {
  const { can } = useViewer();
  const { problems, warnings, marks, checking } = useValidation(draft);
  const writable = can('AUTHOR') || can('ADMIN');
  return (
    <Stack gap="sm">
      {draft.outdated && (
        <Alert color="yellow" icon={<IconArrowsDiff size={20} />} title="The policy was changed while you were writing">
          <Text size="sm">
            Version {policy.version} is in force now; your draft was made from {draft.base === null ? 'the one that is built in' : `version ${draft.base}`}.
            Copy what you need, discard the draft and begin again from the new version.
          </Text>
        </Alert>
      )}
      <CodeEditor
        label="Policy"
        language="yaml"
        value={draft.text}
        readOnly={!writable}
        onChange={(text) => text !== draft.text && draft.edit(text)}
        diagnostics={marks}
        minHeight={320}
        maxHeight="62vh"
      />
      <Group justify="space-between" align="flex-start">
        <ProblemList document={draft.text} problems={problems} warnings={warnings} checking={checking} changed={draft.changed} />
        {writable && (
          <Group gap="xs">
            <Button variant="default" disabled={!draft.changed} onClick={draft.discard}>
              Discard the draft
            </Button>
            {can('ADMIN') && <SaveButton policy={policy} draft={draft} warnings={warnings} ready={!checking && problems.length === 0} onSaved={onSaved} />}
          </Group>
        )}
      </Group>
      {writable && !can('ADMIN') && (
        <Text size="xs" c="dimmed">
          You can try and back-test a draft; an administrator has to save it.
        </Text>
      )}
    </Stack>
  );
}
