import { Text, Textarea } from '@mantine/core';
import { SchemaForm } from '../../components/schema-form/schema-form';
import { visible } from '../../lib/hidden';
import { namesHidden } from '../../lib/hidden-note';
import { Plain } from '../../lib/plain';
import type { Checkpoint } from './use-checkpoint';

interface Props {
  question: Checkpoint['proposal']['questions'][number];
  value: unknown;
  onChange: (value: unknown) => void;
  disabled: boolean;
  missing: boolean;
}

/** One question: a field of the form that its schema asks for, or for any text. */
export function AnswerField({ question: { text, schema }, value, onChange, disabled, missing }: Props) {
  const problem = missing ? 'This needs an answer.' : undefined;
  if (schema === null || schema === undefined) {
    return (
      <Textarea
        label={<Plain>{text}</Plain>}
        value={typeof value === 'string' ? value : ''}
        inputContainer={namesHidden(value)}
        onChange={(event) => onChange(event.currentTarget.value)}
        disabled={disabled}
        error={problem}
        autosize
        minRows={2}
      />
    );
  }
  return (
    <div>
      <SchemaForm schema={{ title: visible(text), ...(typeof schema === 'object' ? schema : {}) }} value={value} onChange={onChange} disabled={disabled} label={visible(text)} layout="form" />
      {problem !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}
