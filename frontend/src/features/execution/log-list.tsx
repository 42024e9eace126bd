import { Button, Group, Select, Text, TextInput } from '@mantine/core';
import { IconDownload, IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { saveFile } from '../../lib/save-file';
import { LogLines } from './log-lines';
import { filterLogs } from './model/log-filter';
import type { LogLine } from './model/run';

const LEVELS = [
  { value: 'DEBUG', label: 'All levels' },
  { value: 'INFO', label: 'Info and above' },
  { value: 'WARN', label: 'Warnings and errors' },
  { value: 'ERROR', label: 'Errors' },
];

/** What the steps and their workers wrote. */
export function LogList({ logs, running, step = null }: { logs: readonly LogLine[]; running: boolean; step?: string | null }) {
  const [text, setText] = useState('');
  const [level, setLevel] = useState('DEBUG');
  const needle = useDeferredValue(text);
  const lines = useMemo(() => filterLogs(logs, { text: needle, level, step }), [logs, needle, level, step]);
  const any = step === null ? logs.length > 0 : lines.length > 0 || text !== '' || level !== 'DEBUG';
  if (!any) {
    return (
      <Text size="sm" c="dimmed">
        {running ? 'Nothing has been written yet. Lines of workers appear here as they come.' : 'Nobody wrote anything. Workers can, with each heartbeat.'}
      </Text>
    );
  }
  const save = () => saveFile('log.txt', lines.map((line) => `${line.at} ${line.level} ${line.stepKey}: ${line.message}`).join('\n'), 'text/plain');
  return (
    <>
      <Group gap="xs" mb="sm">
        <TextInput
          aria-label="Search the log"
          placeholder="Search"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          flex="1 1 160px"
        />
        <Select aria-label="Level" data={LEVELS} value={level} onChange={(value) => setLevel(value ?? 'DEBUG')} allowDeselect={false} flex="0 1 190px" />
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={save} disabled={lines.length === 0}>
          Download
        </Button>
      </Group>
      {lines.length === 0 ? <Text size="sm" c="dimmed">No line fits.</Text> : <LogLines lines={lines} showStep={step === null} />}
    </>
  );
}
