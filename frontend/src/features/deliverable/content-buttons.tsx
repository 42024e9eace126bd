import { Badge, Button, Group, Text } from '@mantine/core';
import { IconCopy, IconDownload, IconExternalLink } from '@tabler/icons-react';
import { ZipButton } from '../../components/zip-button';
import type { DeliverableContentFragment, DeliverableHeadFragment } from '../../gql/types';
import { follow } from '../../lib/download';
import { describe } from '../../lib/errors';
import { showFailure, showSuccess } from '../../lib/notify';
import { useAction } from '../../lib/use-action';
import { useContentLink } from './use-content-link';

interface Props {
  deliverable: DeliverableHeadFragment;
  version: DeliverableContentFragment;
}

export function ContentButtons({ deliverable, version }: Props) {
  const link = useContentLink(deliverable.id, version.number);
  const told = (work: () => Promise<void>) => () => work().catch((error: unknown) => showFailure(describe(error)));
  const download = useAction(told(async () => follow(await link({ preview: false }))));
  const copy = useAction(
    told(async () => {
      const { text, truncated } = version.preview;
      const whole = text === null || truncated ? await (await fetch(await link({ preview: false }))).text() : text;
      await navigator.clipboard.writeText(whole);
      showSuccess('Copied');
    }),
  );
  const gone = deliverable.contentDeletedAt !== null;
  const copyable = !gone && (version.preview.text !== null || version.preview.rows !== null);
  return (
    <Group justify="space-between" gap="xs" mb="sm">
      <Group gap="xs">
        <Badge color="gray">Version {version.number}</Badge>
        <Text size="xs" c="dimmed">
          {version.mimeType.split(';')[0]}
        </Text>
      </Group>
      <Group gap="xs">
        {copyable && (
          <Button variant="default" size="xs" leftSection={<IconCopy size={15} aria-hidden />} loading={copy.pending} onClick={() => void copy.run()}>
            Copy
          </Button>
        )}
        {version.externalUrl !== null && (
          <Button component="a" href={version.externalUrl} target="_blank" rel="noreferrer" variant="default" size="xs" leftSection={<IconExternalLink size={15} aria-hidden />}>
            Open
          </Button>
        )}
        {version.externalUrl === null && !gone && (
          <Button size="xs" variant="default" leftSection={<IconDownload size={15} aria-hidden />} loading={download.pending} onClick={() => void download.run()}>
            Download
          </Button>
        )}
        <ZipButton executionId={deliverable.execution.id} size="xs" />
      </Group>
    </Group>
  );
}
