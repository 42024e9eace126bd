import { Text, Tooltip, UnstyledButton } from '@mantine/core';
import { STEP_LOOKS } from '../../components/model/status';
import type { GraphStep } from '../../components/workflow-graph/graph';
import { duration } from '../../lib/format';
import { useNow } from '../../lib/use-now';
import { workSeconds, type Run } from './model/run';
import { barsOf, scaleOf, type Bar, type Scale } from './model/timeline';
import classes from './timeline.module.css';

interface Props {
  steps: readonly GraphStep[];
  run: Run;
  selected: string | null;
  onStep: (key: string) => void;
}

/** When each step waited, ran and was asked about, one below the other. */
export function Timeline({ steps, run, selected, onStep }: Props) {
  const now = useNow('second');
  const scale = scaleOf(run, now);
  if (!scale) return <Text size="sm" c="dimmed">Nothing has begun yet. The first step appears here by itself.</Text>;
  return (
    <div className={classes.timeline}>
      <Ticks scale={scale} />
      <ul className={classes.rows}>
        {steps.map((step) => (
          <Row key={step.key} step={step} run={run} scale={scale} now={now} selected={selected === step.key} onStep={onStep} />
        ))}
      </ul>
      <Legend />
    </div>
  );
}

interface RowProps {
  step: GraphStep;
  run: Run;
  scale: Scale;
  now: number;
  selected: boolean;
  onStep: (key: string) => void;
}

function Row({ step, run, scale, now, selected, onStep }: RowProps) {
  const live = run.steps.get(step.key);
  const seconds = live ? workSeconds(live, now) : null;
  const { label } = STEP_LOOKS[step.status ?? 'PENDING'];
  // Its events are those of another execution.
  const kept = live === undefined && step.status !== undefined && step.status !== 'PENDING';
  const status = kept ? `${label} before, kept` : label;
  return (
    <li>
      <UnstyledButton className={classes.row} data-selected={selected} onClick={() => onStep(step.key)} aria-label={`${step.key}: ${status}${seconds === null ? '' : `, ${duration(seconds)}`}`}>
        <span className={classes.name}>
          <span>{step.key}</span>
          <small>{status}</small>
        </span>
        <span className={classes.track}>{live && barsOf(live, scale, now).map((bar) => <BarView key={bar.key} bar={bar} progress={live.progress} />)}</span>
        <span className={classes.seconds}>{seconds === null ? '–' : duration(seconds)}</span>
      </UnstyledButton>
    </li>
  );
}

const WORDS: Record<Bar['kind'], string> = { runs: 'Worked', waits: 'Waited for a worker', approval: 'Waited for people', pause: 'Paused before the next attempt' };

function BarView({ bar, progress }: { bar: Bar; progress: number | null }) {
  const label = `${WORDS[bar.kind]}${bar.attempt && bar.attempt > 1 ? `, attempt ${bar.attempt}` : ''}: ${duration(bar.seconds)}`;
  const busy = bar.outcome === 'busy' && bar.kind === 'runs' && progress !== null;
  return (
    <Tooltip label={label}>
      <span className={classes.bar} data-kind={bar.kind} data-outcome={bar.outcome} style={{ left: `${bar.left * 100}%`, width: `${bar.width * 100}%` }}>
        {busy && <span className={classes.done} style={{ width: `${progress * 100}%` }} />}
      </span>
    </Tooltip>
  );
}

function Ticks({ scale: { from, to, ticks } }: { scale: Scale }) {
  return (
    <div className={classes.ticks} aria-hidden>
      {ticks.map((tick) => (
        <span key={tick} style={{ left: `${(tick * 100_000) / (to - from)}%` }}>
          {duration(tick)}
        </span>
      ))}
    </div>
  );
}

function Legend() {
  return (
    <div className={classes.legend} aria-hidden>
      <span data-kind="runs">Work</span>
      <span data-kind="failed">Failed attempt</span>
      <span data-kind="waits">Waits for a worker or a pause</span>
      <span data-kind="approval">Waits for people</span>
    </div>
  );
}
