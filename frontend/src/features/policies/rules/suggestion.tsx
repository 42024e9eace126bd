import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { CodeEditor } from '../../../components/code-editor/code-editor';
import { CopyButton } from '../../../components/copy-button';
import { graphql } from '../../../gql/documents';
import type { PolicySuggestionFragment } from '../../../gql/types';
import { CodeText } from '../../../lib/code-text';
import { count } from '../../../lib/format';
import { showFailure } from '../../../lib/notify';
import { Plain } from '../../../lib/plain';
import { addRule } from '../model/add-rule';
import { sentence } from '../model/problems';
import type { Draft } from '../use-draft';

graphql(`
  fragment PolicySuggestion on PolicyRuleSuggestion {
    name
    description
    cases
    rule
    document
    backtest {
      proposals
      autoApproved
      agreed
      contradicted
    }
  }
`);

export function Suggestion({ suggestion, draft, onAdded }: { suggestion: PolicySuggestionFragment; draft: Draft; onAdded: () => void }) {
  const { name, description, rule, document, backtest } = suggestion;

  function add() {
    // The server's own document leaves the text around the rule as it was; a draft has other text, so it is put in here.
    const next = draft.changed || document === null ? addRule(draft.text, rule) : document;
    if (next === null) return showFailure('The draft leaves no place for it. Copy the rule and put it in by hand.');
    draft.edit(next);
    onAdded();
  }

  return (
    <Card component="section" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div style={{ flex: '1 1 260px', minWidth: 0 }}>
            <Title order={3}><Plain>{name}</Plain></Title>
            <Text size="sm"><CodeText>{sentence(description)}</CodeText></Text>
            <Text size="xs" c="dimmed">
              It would have approved {count(backtest.autoApproved)} of {count(backtest.proposals)} proposals: people agreed with {count(backtest.agreed)} and
              contradicted {count(backtest.contradicted)}. It begins in the shadow.
            </Text>
          </div>
          <Group gap="xs">
            <CopyButton value={rule} what="the rule" />
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
              Add to the draft
            </Button>
          </Group>
        </Group>
        <CodeEditor label={`Rule ${name}`} language="yaml" value={rule} readOnly minHeight={60} maxHeight={240} />
      </Stack>
    </Card>
  );
}
