import { expect, test } from 'vitest';
import { changed, known } from './use-url-filters';

test('sets, removes and repeats, in an order that does not depend on the clicks', () => {
  const before = new URLSearchParams('status=FAILED&q=x&page=2');
  expect(changed(before, { status: ['RUNNING', 'QUEUED'], q: null, risk: 'HIGH' }).toString()).toBe('page=2&risk=HIGH&status=RUNNING&status=QUEUED');
  expect(changed(before, { q: '' }).has('q')).toBe(false);
});

test('unknown values are no filter', () => {
  expect(known(new URLSearchParams('risk=HIGH&risk=NONSENSE'), 'risk', ['LOW', 'HIGH'])).toEqual(['HIGH']);
});
