import type { LogLine } from './run';

export interface LogFilter {
  text: string;
  /** Nothing that is less important. */
  level: string;
  step: string | null;
}

const RANKS: Record<string, number> = { DEBUG: 0, INFO: 1, WARN: 2, ERROR: 3 };

export function filterLogs(logs: readonly LogLine[], { text, level, step }: LogFilter): readonly LogLine[] {
  const needle = text.trim().toLowerCase();
  const least = RANKS[level] ?? 0;
  if (needle === '' && least === 0 && step === null) return logs;
  return logs.filter(
    (line) =>
      // What this page does not know is shown.
      (RANKS[line.level] ?? 3) >= least && (step === null || line.stepKey === step) && (needle === '' || line.message.toLowerCase().includes(needle)),
  );
}
