import { Anchor, Stack, Tabs, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Countdown } from '../../components/countdown';
import type { GraphStep } from '../../components/workflow-graph/graph';
import { headlineOf } from '../../lib/headline';
import { useViewer } from '../../lib/use-viewer';
import type { Plan, State, StepFacts } from './execution-documents';
import { ForkButton } from './fork-button';
import { LogList } from './log-list';
import { actionsFor, canForkFrom } from './model/actions';
import { StepErrorView } from './step-error';
import { StepNumbers } from './step-numbers';
import { StepInput, StepOutput } from './step-values';
import type { LiveRun } from './use-run';

interface Props {
  plan: Plan;
  state: State;
  live: LiveRun;
  steps: readonly GraphStep[];
  step: GraphStep;
  facts: StepFacts;
}

export function StepDetails({ plan, state, live, steps, step, facts }: Props) {
  const { can } = useViewer();
  const run = live.run.steps.get(step.key);
  const forkable = can('OPERATOR') && actionsFor({ ...state, workflowVersion: plan.workflowVersion }).has('fork') && canForkFrom(step.key, steps);
  const failed = facts.error !== null && facts.error !== undefined;
  return (
    <Stack gap="md">
      <StepNumbers facts={facts} run={run} />
      {facts.checkpoint && (
        <Text size="sm">
          {step.status === 'AWAITING_APPROVAL' ? 'Waits at ' : 'People or a rule decided at '}
          <Anchor component={Link} to={`/checkpoints/${facts.checkpoint.id}`} inherit>
            {headlineOf(facts.checkpoint.description).headline}
          </Anchor>
        </Text>
      )}
      {facts.skippedBecause && <Text size="sm">Skipped: {facts.skippedBecause}.</Text>}
      {run?.retryAt && (
        <Text size="sm">
          The next attempt begins by itself: <Countdown until={run.retryAt} urgentBelow={0} />
        </Text>
      )}
      <Tabs defaultValue={failed ? 'error' : step.status === 'COMPLETED' ? 'output' : 'input'} keepMounted={false}>
        <Tabs.List>
          {failed && <Tabs.Tab value="error">Error</Tabs.Tab>}
          <Tabs.Tab value="output">Output</Tabs.Tab>
          <Tabs.Tab value="input">Input</Tabs.Tab>
          <Tabs.Tab value="logs">Logs</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="error" pt="sm">
          {facts.error && <StepErrorView error={facts.error} />}
        </Tabs.Panel>
        <Tabs.Panel value="output" pt="sm">
          <StepOutput id={plan.id} facts={facts} status={step.status ?? 'PENDING'} events={live.events} />
        </Tabs.Panel>
        <Tabs.Panel value="input" pt="sm">
          <StepInput id={plan.id} facts={facts} status={step.status ?? 'PENDING'} />
        </Tabs.Panel>
        <Tabs.Panel value="logs" pt="sm">
          <LogList logs={live.run.logs} running={!state.finishedAt} step={step.key} />
        </Tabs.Panel>
      </Tabs>
      {forkable && (
        <div>
          <ForkButton plan={plan} stepKey={step.key} />
        </div>
      )}
    </Stack>
  );
}
