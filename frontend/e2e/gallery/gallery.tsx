import '@mantine/core/styles.css';
import '../../src/app/app.css';
import { Card, Container, Group, MantineProvider, Stack, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { cssVariables, theme } from '../../src/app/theme';
import { CodeEditor } from '../../src/components/code-editor/code-editor';
import { ConfidenceBar } from '../../src/components/confidence-bar';
import { ConfirmButton } from '../../src/components/confirm-button';
import { DataList } from '../../src/components/data-list';
import { Countdown } from '../../src/components/countdown';
import { EmptyState } from '../../src/components/empty-state';
import { ErrorState } from '../../src/components/error-state';
import { FieldDiff } from '../../src/components/field-diff';
import { JsonView } from '../../src/components/json-view';
import { LoadMore } from '../../src/components/load-more';
import { Markdown } from '../../src/components/markdown';
import { fieldDifferences } from '../../src/components/model/field-diff';
import { CHECKPOINT_LOOKS, EXECUTION_LOOKS, RISK_LOOKS } from '../../src/components/model/status';
import { Money } from '../../src/components/money';
import { RelativeTime } from '../../src/components/relative-time';
import { RiskBadge } from '../../src/components/risk-badge';
import { SchemaForm } from '../../src/components/schema-form/schema-form';
import { StatusBadge } from '../../src/components/status-badge';
import { TextDiff } from '../../src/components/text-diff';
import { stepsOf } from '../../src/components/workflow-graph/graph';
import { WorkflowGraph } from '../../src/components/workflow-graph/workflow-graph';
import { ExactNumber } from '../../src/lib/exact-json';
import * as sample from './sample';

/* Every shared component on one page, for the tests under the server's Content-Security-Policy and for looking at. */

function Gallery() {
  const [value, setValue] = useState<unknown>(sample.PARAMETERS);
  const [valid, setValid] = useState(true);
  const [selected, setSelected] = useState<string | null>(null);
  return (
    <Container size="md" py="lg" component="main">
      <Stack>
        <Title order={1}>Components</Title>
        <Part name="Badges">
          <Group>
            {keys(EXECUTION_LOOKS).map((status) => <StatusBadge key={status} of="execution" status={status} />)}
            {keys(CHECKPOINT_LOOKS).map((status) => <StatusBadge key={status} of="checkpoint" status={status} />)}
            {keys(RISK_LOOKS).map((level) => <RiskBadge key={level} level={level} />)}
          </Group>
          <Group mt="md">
            <ConfidenceBar value={0.92} />
            <ConfidenceBar value={0.6} />
            <ConfidenceBar value={0.2} />
            <Money micros={1_250_000} />
            <RelativeTime at={sample.EARLIER} />
            <Countdown until={sample.LATER} />
          </Group>
        </Part>
        <Part name="Form">
          <SchemaForm schema={sample.SCHEMA} value={value} onChange={setValue} onValidity={setValid} />
          <output data-testid="valid">{String(valid)}</output>
        </Part>
        <Part name="Field by field">
          <FieldDiff changes={fieldDifferences(sample.PARAMETERS, value)} />
        </Part>
        <Part name="Lines">
          <TextDiff label="Two versions" before={sample.YAML} after={sample.YAML.replace('Bank', 'Ledger')} />
        </Part>
        <Part name="Graph">
          <WorkflowGraph steps={stepsOf(sample.WORKFLOW).map((step, index) => ({ ...step, status: sample.STATES[index] }))} selected={selected} onSelect={setSelected} />
          <output data-testid="selected">{selected ?? 'none'}</output>
        </Part>
        <Part name="JSON">
          <JsonView name="Large value" value={{ exact: new ExactNumber('12345678901234567890'), long: 'x'.repeat(9_000), rows: sample.rows(20_000) }} />
        </Part>
        <Part name="YAML">
          <CodeEditor label="Policy" language="yaml" value={sample.YAML} diagnostics={[{ line: 3, column: 5, message: 'There is no agent Mail.' }]} onChange={() => {}} />
        </Part>
        <Part name="Markdown">
          <Markdown>{sample.MARKDOWN}</Markdown>
        </Part>
        <Part name="States">
          <EmptyState title="Nothing here" action={{ label: 'Begin', onClick: () => {} }}>
            Do this next.
          </EmptyState>
          <ErrorState error={new Error('x')} onRetry={() => {}} />
          <ConfirmButton mt="md" color="red" title="Stop everything?" explanation="Nothing goes on by itself." confirmLabel="Stop" reason={{ label: 'Why?', required: true }} onConfirm={() => true}>
            Emergency stop
          </ConfirmButton>
        </Part>
        <Part name="Long list">
          <LoadMore list={{ ...sample.LIST, hasMore: true }}>Show older versions</LoadMore>
          <DataList list={sample.LIST} label="Rows" columns={sample.COLUMNS} card={({ name }) => <Card>{name}</Card>} empty={null} />
        </Part>
      </Stack>
    </Container>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Card component="section" aria-label={name}>
      <Title order={2} mb="sm">
        {name}
      </Title>
      {children}
    </Card>
  );
}

function keys<Key extends string>(record: Record<Key, unknown>): Key[] {
  return Object.keys(record) as Key[];
}

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <MemoryRouter>
        <Gallery />
      </MemoryRouter>
    </MantineProvider>,
  );
}
