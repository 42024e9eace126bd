import { expect, test } from 'vitest';
import { pickOperation } from './pick-operation';

const TWO = 'query A { a } subscription B { b }';

test.each([
  ['{ a }', undefined, undefined, false],
  ['subscription { b }', undefined, undefined, true],
  [TWO, 'A', 'A', false],
  [TWO, 'B', 'B', true],
  // The name is still that of the tab before.
  ['subscription B { b }', 'A', 'B', true],
  ['{ a }', 'B', undefined, false],
  // For the server to refuse.
  [TWO, 'C', 'C', false],
  ['subscription {', 'A', 'A', false],
])('in %j, %j picks %j', (query, wanted, operationName, isSubscription) => {
  expect(pickOperation(query, wanted)).toEqual({ operationName, isSubscription });
});
