import { diffArrays } from 'diff';
import { ExactNumber, stringifyExact } from '../../lib/exact-json';

/** One field that differs; `undefined` on a side where it is not there. */
export interface FieldDifference {
  /** A JSON pointer; empty for the value itself. */
  path: string;
  before: unknown;
  after: unknown;
}

/** Lists that differ in more places than this are compared by place: nobody reads that much, and finding the least of it takes long. */
const MOST_EDITS = 1_000;

/** What names something in a list, wherever it stands there. */
const NAMES = ['id', 'key'];

/** What changed between two JSON values, field by field, in the order of the second. */
export function fieldDifferences(before: unknown, after: unknown, path = ''): FieldDifference[] {
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(before, after, path);
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = new Set([...Object.keys(after), ...Object.keys(before)]);
    return [...names].flatMap((name) => fieldDifferences(before[name], after[name], `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`));
  }
  return same(before, after) ? [] : [{ path, before, after }];
}

/** What was taken out of a list or put into it is told alone: what comes behind it has only moved. */
function listDifferences(before: readonly unknown[], after: readonly unknown[], path: string): FieldDifference[] {
  const found: FieldDifference[] = [];
  let [from, to] = [0, 0];
  /** The next so many of each side, one by one. */
  const compare = (old: number, now: number) => {
    for (let index = 0; index < Math.max(old, now); index += 1) {
      const [was, is] = [index < old ? before[from + index] : undefined, index < now ? after[to + index] : undefined];
      found.push(...fieldDifferences(was, is, `${path}/${index < now ? to + index : from + index}`));
    }
    [from, to] = [from + old, to + now];
  };
  const parts = diffArrays(before.map(identity), after.map(identity), { maxEditLength: MOST_EDITS });
  if (parts === undefined) compare(before.length, after.length);
  let gone = 0;
  for (const { added, removed, count } of parts ?? []) {
    if (removed) {
      gone = count;
    } else if (added && !before.slice(from, from + gone).some(isNamed)) {
      // Changed rather than replaced: what has no name of its own is compared with what stands in its place.
      compare(gone, count);
      gone = 0;
    } else {
      compare(gone, 0);
      compare(added ? 0 : count, count);
      gone = 0;
    }
  }
  compare(gone, 0);
  return found;
}

function identity(value: unknown): string {
  const name = nameOf(value);
  return name === undefined ? stringifyExact(value) : `${typeof name} ${String(name)}`;
}

function isNamed(value: unknown): boolean {
  return nameOf(value) !== undefined;
}

function nameOf(value: unknown): unknown {
  if (!isBranch(value)) return undefined;
  return NAMES.map((name) => value[name]).find((name) => typeof name === 'string' || typeof name === 'number');
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
