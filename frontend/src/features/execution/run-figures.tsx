import { Money } from '../../components/money';
import { StepProgress } from '../../components/step-progress';
import { compactCount, count, duration } from '../../lib/format';
import { useNow } from '../../lib/use-now';
import type { State } from './execution-documents';
import classes from './execution.module.css';
import { remaining } from './model/remaining';

/** How far it is, how long it takes, and what it has cost so far. */
export function RunFigures({ state }: { state: State }) {
  const { usage, finishedAt } = state;
  return (
    <dl className={classes.figures}>
      <div className={`${classes.figure} ${classes.progress}`}>
        <dt>Steps</dt>
        <dd>
          <StepProgress status={state.status} progress={state.progress} size="md" />
        </dd>
      </div>
      <Figure label={finishedAt ? 'Took' : 'Elapsed'}>
        <Took state={state} />
      </Figure>
      <Figure label="Remaining">{finishedAt ? '–' : <Remaining state={state} />}</Figure>
      <Figure label="Cost">
        <Money micros={usage.costMicros} />
      </Figure>
      <Figure label={`Tokens${usage.llmCalls > 0 ? ` in ${count(usage.llmCalls)} ${usage.llmCalls === 1 ? 'call' : 'calls'}` : ''}`}>
        <span title={count(usage.tokens)}>{compactCount(usage.tokens)}</span>
      </Figure>
    </dl>
  );
}

function Figure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Took({ state: { startedAt, finishedAt } }: { state: State }) {
  const now = useNow('second');
  if (!startedAt) return <>–</>;
  const seconds = ((finishedAt ? Date.parse(finishedAt) : now) - Date.parse(startedAt)) / 1000;
  return <>{duration(finishedAt ? seconds : Math.floor(Math.max(seconds, 0)))}</>;
}

function Remaining({ state }: { state: State }) {
  const now = useNow('second');
  return <>{remaining(state, now) ?? 'Not known'}</>;
}
