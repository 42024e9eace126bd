import { Button, Card, Collapse, Group, Input, NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { CodeEditor } from '../../../components/code-editor/code-editor';
import { RISK_LOOKS } from '../../../components/model/status';
import type { RiskLevel } from '../../../gql/enums';
import type { Trial, TrialErrors } from '../model/trial';
import { RecentProposals } from './recent-proposals';

interface Props {
  trial: Trial;
  errors: TrialErrors;
  pending: boolean;
  /** What it will be tried on, in words. */
  against: string;
  onChange: (trial: Trial) => void;
  onSubmit: () => void;
}

export function ProposalForm({ trial, errors, pending, against, onChange, onSubmit }: Props) {
  const [more, { toggle }] = useDisclosure(trial.input !== '' || trial.context !== '');
  const set = (changes: Partial<Trial>) => onChange({ ...trial, ...changes });
  return (
    <Card component="form" onSubmit={(event: React.FormEvent) => (event.preventDefault(), onSubmit())} aria-label="Proposal">
      <Stack gap="sm">
        <RecentProposals onChoose={onChange} />
        <TextInput
          label="Operation type"
          value={trial.operationType}
          onChange={({ currentTarget }) => set({ operationType: currentTarget.value })}
          error={errors.operationType}
          required
        />
        <Group grow>
          <Select
            label="Risk"
            allowDeselect={false}
            value={trial.riskLevel}
            onChange={(level) => set({ riskLevel: (level ?? 'MEDIUM') as RiskLevel })}
            data={(Object.keys(RISK_LOOKS) as RiskLevel[]).map((level) => ({ value: level, label: RISK_LOOKS[level].label }))}
          />
          <NumberInput
            label="Confidence"
            placeholder="not told"
            value={trial.confidence ?? ''}
            onChange={(value) => set({ confidence: typeof value === 'number' ? value : null })}
            min={0}
            max={1}
            step={0.05}
            decimalScale={3}
          />
        </Group>
        <Json label="Parameters" value={trial.parameters} error={errors.parameters} onChange={(parameters) => set({ parameters })} />
        <Switch
          label="A program asks with requestApproval"
          checked={trial.kind === 'REQUEST'}
          onChange={({ currentTarget }) => set({ kind: currentTarget.checked ? 'REQUEST' : 'STEP' })}
        />
        <Switch
          label="The step always asks (gate: ALWAYS)"
          checked={trial.gate === 'ALWAYS'}
          onChange={({ currentTarget }) => set({ gate: currentTarget.checked ? 'ALWAYS' : 'POLICY' })}
        />
        <Button variant="subtle" size="compact-sm" w="fit-content" onClick={toggle} aria-expanded={more}>
          {more ? 'Without the execution' : 'With the input and context of an execution'}
        </Button>
        <Collapse expanded={more}>
          <Stack gap="sm">
            <Json label="Input" value={trial.input} error={errors.input} onChange={(input) => set({ input })} />
            <Json label="Context" value={trial.context} error={errors.context} onChange={(context) => set({ context })} />
          </Stack>
        </Collapse>
        <Button type="submit" loading={pending}>
          Try it on {against}
        </Button>
      </Stack>
    </Card>
  );
}

function Json({ label, value, error, onChange }: { label: string; value: string; error: string | undefined; onChange: (text: string) => void }) {
  return (
    <Input.Wrapper label={label} error={error} labelElement="div">
      <CodeEditor label={label} language="json" value={value} onChange={onChange} minHeight={96} maxHeight={260} />
    </Input.Wrapper>
  );
}
