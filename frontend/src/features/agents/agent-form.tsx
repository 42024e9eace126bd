import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { RISK_LOOKS } from '../../components/model/status';
import { JsonField } from '../../components/schema-form/json-field';
import type { RiskLevel } from '../../gql/enums';
import { CodeText, told } from '../../lib/code-text';
import { CommandError, describe, type ApiError } from '../../lib/errors';

/** What can be changed of an agent. Null where there is none. */
export interface AgentValues {
  description: string;
  operationType: string | null;
  riskLevel: RiskLevel | null;
  config: unknown;
  inputSchema: unknown;
  outputSchema: unknown;
}

interface Props {
  values: AgentValues;
  onChange: (values: AgentValues) => void;
  error: ApiError | null;
  pending: boolean;
  submitLabel: string;
  onSubmit: () => void;
  onCancel?: () => void;
  /** Fields that only a new agent has. */
  children?: ReactNode;
}

const RISKS = Object.entries(RISK_LOOKS).map(([value, { label }]) => ({ value, label }));

export function AgentForm({ values, onChange, error, pending, submitLabel, onSubmit, onCancel, children }: Props) {
  const [unreadable, setUnreadable] = useState<ReadonlySet<string>>(new Set());
  const at = (field: string) => told(error instanceof CommandError ? error.at('input', field) : undefined);

  function json(field: 'config' | 'inputSchema' | 'outputSchema', label: string, hint: string) {
    return (
      <div role="group" aria-label={label}>
        <Text size="sm" fw={600}>{label}</Text>
        <Text size="xs" c="dimmed" mb={4}>{hint}</Text>
        <JsonField
          schema={null}
          value={values[field]}
          onChange={(value) => {
            setUnreadable(new Set([...unreadable].filter((one) => one !== field)));
            onChange({ ...values, [field]: value });
          }}
          onUnreadable={() => setUnreadable(new Set([...unreadable, field]))}
          readOnly={pending}
          label={label}
        />
        {at(field) && <Text size="xs" c="var(--mantine-color-error)" mt={4} role="alert">{at(field)}</Text>}
      </div>
    );
  }

  return (
    <form noValidate onSubmit={(event) => (event.preventDefault(), onSubmit())}>
      <Stack gap="md">
        {children}
        <Textarea label="Description" autosize minRows={2} maxLength={2000} value={values.description} error={at('description')} onChange={({ currentTarget }) => onChange({ ...values, description: currentTarget.value })} />
        <Group grow align="flex-start">
          <TextInput label="Operation type" description="For policies, such as refund" value={values.operationType ?? ''} error={at('operationType')} onChange={({ currentTarget }) => onChange({ ...values, operationType: currentTarget.value === '' ? null : currentTarget.value })} />
          <Select label="Risk" description="How much harm it can do" placeholder="As its kind" data={RISKS} value={values.riskLevel} onChange={(risk) => onChange({ ...values, riskLevel: risk as RiskLevel | null })} clearable />
        </Group>
        {json('config', 'Set-up', 'Depends on the kind.')}
        {json('inputSchema', 'Input schema', 'A JSON Schema of what it takes. Empty: anything.')}
        {json('outputSchema', 'Output schema', 'A JSON Schema of what it gives. Empty: anything.')}
        {error && <Text size="sm" c="var(--mantine-color-error)" role="alert"><CodeText>{describe(error)}</CodeText></Text>}
        <Group justify="flex-end">
          {onCancel && <Button variant="default" onClick={onCancel}>Cancel</Button>}
          <Button type="submit" loading={pending} disabled={unreadable.size > 0}>{submitLabel}</Button>
        </Group>
      </Stack>
    </form>
  );
}
