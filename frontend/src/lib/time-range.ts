/*
 * A range of time in the address of a page: `range=7d` goes along with the clock, `from=2026-01-01&until=2026-01-31` stays. Days
 * are those of the reader's zone, and the last one is part of the range.
 */

export interface TimeRange {
  from: string | null;
  until: string | null;
}

export const PRESETS = [
  { value: '24h', label: 'Last 24 hours', hours: 24 },
  { value: '7d', label: 'Last 7 days', hours: 7 * 24 },
  { value: '30d', label: 'Last 30 days', hours: 30 * 24 },
  { value: '90d', label: 'Last 90 days', hours: 90 * 24 },
] as const;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const HOUR_MS = 3_600_000;

/** The range that the address names; both ends are null when it names none. */
export function rangeOf(params: URLSearchParams, now: number, fallback: string | null = null): TimeRange {
  const from = params.get('from');
  const until = params.get('until');
  if (from !== null || until !== null) return { from: dayStart(from, 0), until: dayStart(until, 1) };
  const preset = PRESETS.find(({ value }) => value === (params.get('range') ?? fallback));
  // Whole hours, so that the question stays the same from one moment to the next.
  return { from: preset ? new Date((Math.floor(now / HOUR_MS) - preset.hours) * HOUR_MS).toISOString() : null, until: null };
}

/** What is chosen: a preset's value, `custom`, or null. */
export function choiceOf(params: URLSearchParams, fallback: string | null = null): string | null {
  if (params.has('from') || params.has('until')) return 'custom';
  const value = params.get('range') ?? fallback;
  return PRESETS.some((preset) => preset.value === value) ? value : null;
}

/** A day as a date field has it, in the reader's zone. */
export function dayOf(time: number): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function dayStart(day: string | null, later: number): string | null {
  if (day === null || !DAY.test(day)) return null;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const start = new Date(year, month - 1, date + later);
  return Number.isNaN(start.getTime()) ? null : start.toISOString();
}
