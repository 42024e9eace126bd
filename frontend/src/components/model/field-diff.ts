import { ExactNumber, stringifyExact } from '../../lib/exact-json';

/** One field that differs; `undefined` on a side where it is not there. */
export interface FieldDifference {
  /** A JSON pointer; empty for the value itself. */
  path: string;
  before: unknown;
  after: unknown;
}

/** What changed between two JSON values, field by field, in the order of the second. Lists are compared by place. */
export function fieldDifferences(before: unknown, after: unknown, path = ''): FieldDifference[] {
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = new Set([...Object.keys(after), ...Object.keys(before)]);
    return [...names].flatMap((name) => fieldDifferences(before[name], after[name], `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`));
  }
  return same(before, after) ? [] : [{ path, before, after }];
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

function same(a: unknown, b: unknown): boolean {
  if (a === undefined || b === undefined) return a === b;
  return stringifyExact(a) === stringifyExact(b);
}

/** `/lines/0/amount` as people say it: `lines → 1 → amount`. */
export function readablePath(pointer: string): string {
  const parts = pointer.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts.length === 0 ? 'The whole value' : parts.map((part) => (/^\d+$/.test(part) ? String(Number(part) + 1) : part)).join(' → ');
}
