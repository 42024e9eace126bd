import { ActionIcon, Group, Text, Tooltip } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMemo } from 'react';
import { stringifyExact } from '../lib/exact-json';
import { bytes } from '../lib/format';
import { visibleJson } from '../lib/hidden';
import { saveFile } from '../lib/save-file';
import { CodeEditor } from './code-editor/code-editor';
import { CopyButton } from './copy-button';
import { shorten } from './model/shorten';

interface Props {
  value: unknown;
  /** Names it, and the file that is downloaded: "input of step pay". */
  name: string;
  maxHeight?: number;
}

/** JSON to look at, of any size: folding, search with Ctrl-F, copy and download. Only the lines in sight are in the page. */
export function JsonView({ value, name, maxHeight = 420 }: Props) {
  const text = useMemo(() => stringifyExact(value, 2) ?? 'null', [value]);
  const shown = useMemo(() => shorten(visibleJson(text)), [text]);
  return (
    <div>
      <Group justify="space-between" gap="xs" mb={4}>
        <Text size="xs" c="dimmed">
          {bytes(text.length)}
          {shown.cut > 0 && ` · ${shown.cut} long ${shown.cut === 1 ? 'text is' : 'texts are'} cut short here; copy or download for all`}
        </Text>
        <Group gap={2}>
          <CopyButton value={text} what={name} />
          <Tooltip label={`Download ${name}`}>
            <ActionIcon variant="subtle" color="gray" aria-label={`Download ${name}`} onClick={() => saveFile(`${name}.json`, text, 'application/json')}>
              <IconDownload size={16} />
            </ActionIcon>
          </Tooltip>
        </Group>
      </Group>
      <CodeEditor value={shown.text} language="json" readOnly label={name} maxHeight={maxHeight} minHeight={44} wrap />
    </div>
  );
}
