import { expect, test, vi } from 'vitest';
import { createEventStore } from './event-store';

const event = (cursor: string) => ({ cursor });

test('an event that comes twice is there once, in the order of the first time', () => {
  const store = createEventStore((work) => work());
  store.add([event('a'), event('b')]);
  store.add([event('b'), event('c'), event('a')]);
  expect(store.events().map(({ cursor }) => cursor)).toEqual(['a', 'b', 'c']);
});

test('a burst is told once, and what is old not at all', () => {
  const later: (() => void)[] = [];
  const store = createEventStore((work) => later.push(work));
  const heard = vi.fn();
  store.subscribe(heard);
  for (const cursor of ['a', 'b', 'c']) store.add([event(cursor)]);
  expect(later).toHaveLength(1);
  later.pop()?.();
  expect(heard).toHaveBeenCalledTimes(1);
  const before = store.events();
  store.add([event('b')]);
  expect(later).toHaveLength(0);
  expect(store.events()).toBe(before);
});
