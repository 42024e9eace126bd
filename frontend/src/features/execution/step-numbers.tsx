import { Anchor, Progress, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { ConfidenceBar } from '../../components/confidence-bar';
import { Money } from '../../components/money';
import { count, duration, percent } from '../../lib/format';
import { Plain } from '../../lib/plain';
import { useNow } from '../../lib/use-now';
import type { StepFacts } from './execution-documents';
import { workSeconds, type StepRun } from './model/run';
import classes from './step.module.css';

/** Who does it, how long it took, and what it cost. What is not known is left out. */
export function StepNumbers({ facts, run }: { facts: StepFacts; run: StepRun | undefined }) {
  const now = useNow('second');
  const seconds = run ? workSeconds(run, now) : null;
  const { usage, agent } = facts;
  return (
    <dl className={classes.numbers}>
      {agent && (
        <Row label="Agent">
          <Anchor component={Link} to={`/agents?agent=${agent.id}`} inherit>
            <Plain>{agent.name}</Plain>
          </Anchor>
          {facts.agentVersion ? `, version ${facts.agentVersion}` : ''}
        </Row>
      )}
      {run && run.attempt > 0 && (
        <Row label="Attempt">
          {run.attempt} of {facts.maxAttempts}
        </Row>
      )}
      {seconds !== null && <Row label="Worked on">{duration(seconds)}</Row>}
      {run?.progress !== null && run?.progress !== undefined && (
        <Row label="Progress">
          <Progress value={run.progress * 100} aria-label="Progress of the step" mt={6} />
          <Text size="xs" c="dimmed">{percent(run.progress)}</Text>
        </Row>
      )}
      {(usage.costMicros > 0 || usage.tokens > 0) && (
        <Row label="Cost">
          <Money micros={usage.costMicros} /> · {count(usage.tokens)} tokens
        </Row>
      )}
      {typeof facts.confidence === 'number' && (
        <Row label="Confidence">
          <ConfidenceBar value={facts.confidence} />
        </Row>
      )}
      {facts.reasoning && <Row label="Reasoning">{facts.reasoning}</Row>}
      {facts.kept && <Row label="Kept">Did not run here: its result is that of the execution before.</Row>}
    </dl>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
