import { Group, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useId, useState } from 'react';
import { hasExact } from '../../lib/exact-json';
import { JsonField } from './json-field';
import { validate } from './validate';

export interface SchemaFieldsProps {
  /** A JSON Schema; null when there is none, and only the JSON can be edited. */
  schema: unknown;
  value: unknown;
  onChange: (value: unknown) => void;
  disabled?: boolean;
  /** Keeps the ids of two forms on one page apart. */
  idPrefix?: string;
  /** False for a value that is changed rather than made: what is not in it stays out, whatever the schema's defaults. */
  defaults?: boolean;
  /** In a dialog that is about this form: one can type at once. */
  focusFirst?: boolean;
  /** How often somebody tried to send it as it is not yet. Each time what is missing is marked, and the first of it has the focus. */
  attempts?: number;
}

interface Props extends SchemaFieldsProps {
  /** Whether the value fits the schema, told after each change. */
  onValidity?: (valid: boolean) => void;
  label?: string;
  /** One view at a time, both beside each other where there is room, or only the form. */
  layout?: 'tabs' | 'split' | 'form';
}

const Fields = lazy(() => import('./schema-form-impl'));

/** A value as a form made from its schema, or as JSON: two views of the same value, checked as one types. */
export function SchemaForm({ schema, value, onChange, onValidity, disabled = false, defaults = true, focusFirst = false, attempts = 0, label = 'Parameters', layout = 'tabs' }: Props) {
  const id = useId();
  const wide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
  // A form would round what JavaScript cannot hold; the text keeps it.
  const formable = typeof schema === 'object' && schema !== null && Object.keys(schema).length > 0 && !hasExact(value);
  const [view, setView] = useState<'form' | 'json'>(formable ? 'form' : 'json');

  function change(next: unknown) {
    onChange(next);
    onValidity?.(validate(schema, next).length === 0);
  }

  const form = (
    <Suspense fallback={<Skeleton height={layout === 'form' ? 60 : 180} radius="md" />}>
      <Fields schema={schema} value={value} onChange={change} disabled={disabled} idPrefix={id} defaults={defaults} focusFirst={focusFirst} attempts={attempts} />
    </Suspense>
  );
  const json = <JsonField schema={schema} value={value} onChange={change} onUnreadable={() => onValidity?.(false)} readOnly={disabled} label={label} focusFirst={focusFirst && !formable} />;

  if (layout === 'form' && formable) return form;
  if (layout === 'split' && formable && wide) {
    return (
      <SimpleGrid cols={2} spacing="lg" role="group" aria-label={label}>
        {form}
        {json}
      </SimpleGrid>
    );
  }
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text fw={600} size="sm" id={id}>
          {label}
        </Text>
        {formable && (
          <SegmentedControl
            size="xs"
            value={view}
            onChange={(next) => setView(next === 'json' ? 'json' : 'form')}
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
            aria-label={`${label}: view`}
          />
        )}
      </Group>
      <div role="group" aria-labelledby={id}>
        {formable && view === 'form' ? form : json}
      </div>
    </Stack>
  );
}
