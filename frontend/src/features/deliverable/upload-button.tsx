import { Button, FileInput, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import type { DeliverableHeadFragment } from '../../gql/types';
import { CodeText } from '../../lib/code-text';
import { describe } from '../../lib/errors';
import { bytes, percent } from '../../lib/format';
import { useUpload } from './use-upload';

/** A file as the next version. */
export function UploadButton({ deliverable }: { deliverable: DeliverableHeadFragment }) {
  const [opened, { open, close }] = useDisclosure(false);
  const [file, setFile] = useState<File | null>(null);
  const upload = useUpload(deliverable);

  async function start() {
    if (!file || !(await upload.start(file))) return;
    setFile(null);
    close();
  }

  function leave() {
    upload.cancel();
    close();
  }

  return (
    <>
      <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={open}>
        Upload a version
      </Button>
      <Modal opened={opened} onClose={leave} title={`A new version of ${deliverable.name}`}>
        <Stack component="form" onSubmit={(event) => (event.preventDefault(), void start())}>
          <FileInput
            label="File"
            description={`It becomes version ${deliverable.versionNumber + 1}, as a draft. The versions before it stay.`}
            placeholder="Choose a file"
            value={file}
            onChange={setFile}
            disabled={upload.progress !== null}
            error={upload.error === null ? null : <CodeText>{describe(upload.error)}</CodeText>}
            clearable
            data-autofocus
            clearButtonProps={{ 'aria-label': 'Choose another file' }}
          />
          {file && upload.progress !== null && (
            <div>
              <Progress value={upload.progress * 100} aria-label="Sent" />
              <Text size="xs" c="dimmed" mt={4} role="status">
                {percent(upload.progress)} of {bytes(file.size)}
              </Text>
            </div>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              Cancel
            </Button>
            <Button type="submit" disabled={!file} loading={upload.progress !== null}>
              Upload
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
