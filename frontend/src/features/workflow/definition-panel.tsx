import { Alert, Button, Group, Text } from '@mantine/core';
import { ConfirmButton } from '../../components/confirm-button';
import { ErrorState } from '../../components/error-state';
import { RelativeTime } from '../../components/relative-time';
import { showWaitsForReview } from '../../components/waits-for-review';
import { graphql } from '../../gql/documents';
import type { WorkflowDetailFragment } from '../../gql/types';
import { showSuccess } from '../../lib/notify';
import { useCommand } from '../../lib/use-command';
import { DefinitionEditor } from './definition-editor';
import { NewerDefinition } from './newer-definition';
import type { Definition } from './use-definition';

const SAVE = graphql(`
  mutation SaveWorkflow($input: UpdateWorkflowInput!) {
    updateWorkflow(input: $input) {
      workflow {
        ...WorkflowDetail
      }
      review {
        id
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

const DISCARD = graphql(`
  mutation DiscardWorkflowDraft($input: DiscardWorkflowDraftInput!) {
    discardWorkflowDraft(input: $input) {
      workflow {
        ...WorkflowDetail
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
  workflow: WorkflowDetailFragment;
  document: Definition;
  readOnly: boolean;
}

export function DefinitionPanel({ workflow, document, readOnly }: Props) {
  const save = useCommand(SAVE, { quiet: true });
  const discard = useCommand(DISCARD, { success: 'The draft is gone.' });
  const { draft, latestVersion: latest } = workflow;

  async function store(asDraft: boolean) {
    const payload = await save.run({ input: { workflowId: workflow.id, source: document.text, draft: asDraft, baseVersion: document.base } });
    const number = payload?.workflow?.latestVersion?.number ?? null;
    if (!payload) return;
    if (payload.review) {
      showWaitsForReview(payload.review);
      return;
    }
    const before = document.base;
    document.keep(number);
    showSuccess(asDraft ? 'The draft is saved.' : number === before ? 'Nothing differs: the version stays.' : `Saved as version ${number}.`);
  }

  async function drop(): Promise<boolean> {
    const payload = await discard.run({ input: { workflowId: workflow.id } });
    if (payload && latest) document.load(latest.definition, latest.number);
    return payload !== null;
  }

  return (
    <>
      {draft && (
        <Alert color="yellow" mb="md" title="This is a draft">
          <Text size="sm" component="div">
            Saved <RelativeTime at={draft.updatedAt} />
            {draft.updatedBy.displayName ? ` by ${draft.updatedBy.displayName}` : ''}.{' '}
            {latest ? `Executions run version ${latest.number} until it is saved as a version.` : 'Nothing can be started until it is saved as a version.'}
          </Text>
        </Alert>
      )}
      {document.newer && !save.pending && <NewerDefinition workflow={workflow} document={document} />}
      <DefinitionEditor document={document} readOnly={readOnly} />
      {save.error && (
        <div style={{ marginTop: 12 }}>
          <ErrorState error={save.error} title="It was not saved" />
        </div>
      )}
      {!readOnly && (
        <Group mt="md" gap="xs">
          <Button onClick={() => void store(false)} loading={save.pending} disabled={!document.dirty && !draft}>
            Save as new version
          </Button>
          <Button variant="default" onClick={() => void store(true)} loading={save.pending} disabled={!document.dirty}>
            Save draft
          </Button>
          {draft && latest && (
            <ConfirmButton variant="subtle" color="red" title="Throw the draft away?" explanation="What it says is lost. The versions stay." confirmLabel="Throw away" onConfirm={drop}>
              Discard draft
            </ConfirmButton>
          )}
        </Group>
      )}
    </>
  );
}
