import { Group, SegmentedControl, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { JsonView } from '../../components/json-view';
import { readable } from './model/readable';
import { ReadableValue } from './readable-value';

interface Props {
  value: unknown;
  /** Names and explanations of its fields. */
  schema?: unknown;
  name: string;
  nothing: string;
}

/** A value in words, or as the JSON that it is. */
export function ValueViews({ value, schema, name, nothing }: Props) {
  const shown = useMemo(() => readable(value, schema), [value, schema]);
  const [view, setView] = useState<string>('words');
  if (shown.kind === 'nothing') {
    return (
      <Text size="sm" c="dimmed">
        {nothing}
      </Text>
    );
  }
  if (shown.kind === 'json') return <JsonView value={value} name={name} />;
  return (
    <>
      {view === 'words' ? <ReadableValue shown={shown} name={name} /> : <JsonView value={value} name={name} />}
      <Group justify="flex-end" mt="xs">
        <SegmentedControl
          size="xs"
          value={view}
          onChange={setView}
          data={[
            { value: 'words', label: 'Readable' },
            { value: 'json', label: 'JSON' },
          ]}
          aria-label={`View of ${name}`}
        />
      </Group>
    </>
  );
}
