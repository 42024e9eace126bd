import type { VirtualItem } from '@tanstack/react-virtual';

/** So many rows can be made within a frame, on a slow machine as well. */
export const AT_ONCE = 5;

export type RowKey = VirtualItem['key'];
type Place = Pick<VirtualItem, 'key' | 'index'>;

/**
 * Which rows are made now, while one scrolls faster than that: those that are there already, and some more, in sight before out of
 * it. The others stand there empty for a frame or two.
 */
export function rowsToMake(places: readonly Place[], made: { has: (key: RowKey) => boolean }, sight: { startIndex: number; endIndex: number } | null): ReadonlySet<RowKey> {
  const missing = places.filter(({ key }) => !made.has(key));
  if (missing.length <= AT_ONCE) return new Set(places.map(({ key }) => key));
  const seen = ({ index }: Place) => sight !== null && index >= sight.startIndex && index <= sight.endIndex;
  const next = [...missing.filter(seen), ...missing.filter((place) => !seen(place))].slice(0, AT_ONCE);
  return new Set([...places.filter(({ key }) => made.has(key)), ...next].map(({ key }) => key));
}
