import { Anchor, Badge, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { CopyButton } from '../../components/copy-button';
import { ErrorState } from '../../components/error-state';
import { PageHeader } from '../../components/page-header';
import { RelativeTime } from '../../components/relative-time';
import { StatusBadge } from '../../components/status-badge';
import { WorkflowGraph } from '../../components/workflow-graph/workflow-graph';
import { known, useUrlFilters } from '../../lib/use-url-filters';
import type { Plan, State } from './execution-documents';
import classes from './execution.module.css';
import { graphStepsOf } from './model/graph-steps';
import { RunActions } from './run-actions';
import { RunAside } from './run-aside';
import { RunBanner } from './run-banner';
import { RunFigures } from './run-figures';
import { RUN_TABS, RunTabs } from './run-tabs';
import { StepDrawer } from './step-drawer';
import type { LiveRun } from './use-run';

interface Props {
  plan: Plan;
  state: State;
  live: LiveRun;
  onRetry: () => void;
}

const parse = (params: URLSearchParams) => ({ step: params.get('step'), tab: known(params, 'tab', RUN_TABS)[0] ?? null });

export function ExecutionBody({ plan, state, live, onRetry }: Props) {
  const { filters, set } = useUrlFilters(parse);
  const choose = (step: string | null) => set({ step });
  const steps = useMemo(
    () => graphStepsOf(plan.workflowVersion?.definition, state.steps, live.run),
    [plan.workflowVersion, state.steps, live.run],
  );
  return (
    <>
      <PageHeader
        title={plan.workflow.name}
        back={{ to: '/executions', label: 'Executions' }}
        badges={
          <>
            <StatusBadge of="execution" status={state.status} />
            {plan.isTest && <Badge color="blue">Test</Badge>}
          </>
        }
        actions={<RunActions plan={plan} state={state} />}
      >
        <Subtitle plan={plan} />
      </PageHeader>
      <Stack gap="md">
        <RunBanner plan={plan} state={state} live={live} onStep={choose} />
        <RunFigures state={state} />
        {live.error && <ErrorState error={live.error} onRetry={onRetry} title="What happens could not be followed" />}
        <div className={classes.columns}>
          <Stack gap="md" miw={0}>
            {steps.length > 0 && <WorkflowGraph steps={steps} selected={filters.step} onSelect={choose} label="Steps of this execution" />}
            <RunTabs id={plan.id} state={state} steps={steps} live={live} tab={filters.tab} onTab={(tab) => set({ tab })} selected={filters.step} onStep={choose} />
          </Stack>
          <RunAside plan={plan} state={state} />
        </div>
      </Stack>
      <StepDrawer plan={plan} state={state} live={live} steps={steps} stepKey={filters.step} onClose={() => choose(null)} />
    </>
  );
}

function Subtitle({ plan }: { plan: Plan }) {
  return (
    <span className={classes.subtitle}>
      {plan.workflowVersion && (
        <span>
          <Anchor component={Link} to={`/workflows/${plan.workflow.id}`} inherit>
            Version {plan.workflowVersion.number}
          </Anchor>
        </span>
      )}
      <span>
        Made <RelativeTime at={plan.createdAt} />
        {plan.createdBy.displayName ? ` by ${plan.createdBy.displayName}` : ''}
      </span>
      {plan.correlationId && <span>Reference {plan.correlationId}</span>}
      <span className={classes.id}>
        {plan.id}
        <CopyButton value={plan.id} what="the execution's id" />
      </span>
    </span>
  );
}
