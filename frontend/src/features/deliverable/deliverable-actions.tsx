import { Button } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconLock } from '@tabler/icons-react';
import { ConfirmButton } from '../../components/confirm-button';
import { graphql } from '../../gql/documents';
import type { DeliverableHeadFragment } from '../../gql/types';
import { useCommand } from '../../lib/use-command';
import { useViewer } from '../../lib/use-viewer';
import { UploadButton } from './upload-button';

const FINALIZE = graphql(`
  mutation FinalizeDeliverable($input: FinalizeDeliverableInput!) {
    finalizeDeliverable(input: $input) {
      deliverable {
        ...DeliverableHead
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const ARCHIVE = graphql(`
  mutation ArchiveDeliverable($input: ArchiveDeliverableInput!) {
    archiveDeliverable(input: $input) {
      deliverable {
        ...DeliverableHead
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const RESTORE = graphql(`
  mutation RestoreDeliverable($input: RestoreDeliverableInput!) {
    restoreDeliverable(input: $input) {
      deliverable {
        ...DeliverableHead
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function DeliverableActions({ deliverable }: { deliverable: DeliverableHeadFragment }) {
  const { can } = useViewer();
  const finalize = useCommand(FINALIZE, { success: 'Final: this version cannot be changed any more' });
  const archive = useCommand(ARCHIVE, { success: 'Archived' });
  const restore = useCommand(RESTORE, { success: 'Back from the archive' });
  if (!can('OPERATOR')) return null;
  const { id: deliverableId, status, versionNumber: version } = deliverable;
  if (status === 'ARCHIVED') {
    return (
      <Button
        variant="default"
        leftSection={<IconArchiveOff size={16} aria-hidden />}
        loading={restore.pending}
        onClick={() => void restore.run({ input: { deliverableId } })}
      >
        Restore
      </Button>
    );
  }
  return (
    <>
      <UploadButton deliverable={deliverable} />
      <ConfirmButton
        variant="default"
        color="gray"
        leftSection={<IconArchive size={16} aria-hidden />}
        title="Put it into the archive?"
        explanation="It leaves the lists and can be restored. If the workspace deletes archived content after some days, its content goes then."
        confirmLabel="Archive"
        onConfirm={async () => (await archive.run({ input: { deliverableId } })) !== null}
      >
        Archive
      </ConfirmButton>
      {status === 'DRAFT' && (
        <ConfirmButton
          color="brand"
          leftSection={<IconLock size={16} aria-hidden />}
          title={`Finalize version ${version}?`}
          explanation="Nothing of this version can be changed afterwards. What follows is a new version, which begins as a draft."
          confirmLabel="Finalize"
          onConfirm={async () => (await finalize.run({ input: { deliverableId, version } })) !== null}
        >
          Finalize
        </ConfirmButton>
      )}
    </>
  );
}
