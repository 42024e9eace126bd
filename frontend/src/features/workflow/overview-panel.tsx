import { Anchor, Card, Code, Stack, Text, Title } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { stepsOf } from '../../components/workflow-graph/graph';
import { WorkflowGraph } from '../../components/workflow-graph/workflow-graph';
import { JsonView } from '../../components/json-view';
import { inputSchemaOf } from './model/document';
import { stepFacts } from './model/step-facts';
import classes from './workflow.module.css';

/** The graph of the version that runs, what a step of it says, and what it takes. */
export function OverviewPanel({ definition }: { definition: unknown }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const steps = useMemo(() => stepsOf(definition), [definition]);
  const schema = inputSchemaOf(definition);
  return (
    <Stack gap="md">
      <WorkflowGraph steps={steps} selected={chosen} onSelect={setChosen} />
      {chosen === null ? (
        <Text size="sm" c="dimmed">
          Choose a step to see what it does. {steps.some(({ gated }) => gated) && 'A hand marks the steps before which people are always asked.'}
        </Text>
      ) : (
        <StepCard definition={definition} stepKey={chosen} />
      )}
      {schema !== null && (
        <Card component="section" aria-label="Input schema">
          <Title order={2} size="sm" mb="xs">
            What it takes
          </Title>
          <JsonView value={schema} name="input schema" maxHeight={260} />
        </Card>
      )}
    </Stack>
  );
}

function StepCard({ definition, stepKey }: { definition: unknown; stepKey: string }) {
  const facts = stepFacts(definition, stepKey);
  if (!facts) return null;
  return (
    <Card component="section" aria-label={`Step ${stepKey}`}>
      <Title order={2} size="sm" mb="xs">
        Step {stepKey}
      </Title>
      <dl className={classes.facts}>
        <Fact label="Agent">
          <Anchor component={Link} to={`/agents?search=${encodeURIComponent(facts.agent)}`} inherit>
            {facts.agent}
          </Anchor>
        </Fact>
        <Fact label="After">{facts.needs.length > 0 ? facts.needs.join(', ') : 'nothing: it starts at once'}</Fact>
        {facts.when !== null && (
          <Fact label="Only when">
            <Code>{facts.when}</Code>
          </Fact>
        )}
        <Fact label="People are asked">{facts.gate}</Fact>
        <Fact label="Attempts">{facts.attempts}</Fact>
      </dl>
      {facts.input !== undefined && (
        <>
          <Title order={3} size="sm" mt="md" mb={4}>
            What it gets
          </Title>
          <JsonView value={facts.input} name={`input mapping of ${stepKey}`} maxHeight={240} />
        </>
      )}
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
