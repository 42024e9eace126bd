import { durationStep } from '../../../lib/duration-steps';
import type { Phase, Run, StepRun } from './run';

/** A stretch of time as a bar: places are shares of the whole, from 0 to 1. */
export interface Bar {
  key: string;
  kind: Phase['kind'];
  outcome: Phase['outcome'] | 'busy' | undefined;
  left: number;
  width: number;
  seconds: number;
  attempt: number | undefined;
}

export interface Scale {
  from: number;
  to: number;
  /** Round times to draw lines at, in seconds since the start. */
  ticks: readonly number[];
}

/** From the first thing that a step did to the last, or to now while one is going on. */
export function scaleOf({ steps, startedAt, finishedAt }: Run, now: number): Scale | null {
  const phases = [...steps.values()].flatMap((step) => step.phases);
  const starts = phases.map(({ from }) => from);
  const from = Math.min(startedAt ?? Number.POSITIVE_INFINITY, ...starts);
  if (!Number.isFinite(from)) return null;
  const ends = phases.map((phase) => phase.to ?? finishedAt ?? now);
  const to = Math.max(from + 1, finishedAt ?? from, ...ends);
  const seconds = (to - from) / 1000;
  const step = durationStep(seconds);
  const ticks = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, index) => index * step);
  return { from, to, ticks };
}

export function barsOf({ key, phases }: StepRun, { from, to }: Scale, now: number): Bar[] {
  const span = to - from;
  return phases.map((phase, index) => {
    const end = Math.min(phase.to ?? now, to);
    const left = (phase.from - from) / span;
    return {
      key: `${key} ${index}`,
      kind: phase.kind,
      outcome: phase.to === null ? 'busy' : phase.outcome,
      left,
      width: Math.max((end - phase.from) / span, 0),
      seconds: Math.max(end - phase.from, 0) / 1000,
      attempt: phase.attempt,
    };
  });
}
