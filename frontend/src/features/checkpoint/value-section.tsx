import { Group, SegmentedControl, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { JsonView } from '../../components/json-view';
import { Plain } from '../../lib/plain';
import { readable, type ListReader } from './model/readable';
import { ReadableValue } from './readable-value';
import { Section } from './section';

interface Props {
  title: string;
  value: unknown;
  /** Names and explanations of its fields. */
  schema?: unknown;
  /** What stands in place of a list that is shown elsewhere. */
  lists?: ListReader | undefined;
  /** Names the value for copying and downloading. */
  name: string;
  /** What is said when there is nothing to show. */
  nothing: string;
  /** Beside the title. */
  note?: string;
}

/** A value in words, or as the JSON that it is. */
export function ValueSection({ title, value, schema, lists, name, nothing, note }: Props) {
  const shown = useMemo(() => readable(value, schema, lists), [value, schema, lists]);
  const [view, setView] = useState<string>('words');
  const choice = shown.kind !== 'nothing' && shown.kind !== 'json';
  return (
    <Section
      title={title}
      aside={
        <Group gap="sm">
          {note !== undefined && (
            <Text size="sm" c="dimmed">
              <Plain isKey>{note}</Plain>
            </Text>
          )}
          {choice && (
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
          )}
        </Group>
      }
    >
      {shown.kind === 'nothing' ? (
        <Text size="sm" c="dimmed">
          {nothing}
        </Text>
      ) : choice && view === 'words' ? (
        <ReadableValue shown={shown} name={name} />
      ) : (
        <JsonView value={value} name={name} />
      )}
    </Section>
  );
}
