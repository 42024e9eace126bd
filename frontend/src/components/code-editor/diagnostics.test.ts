import { expect, test } from 'vitest';
import { pointerParts, positionOf } from './diagnostics';

const YAML = `name: Refunds
steps:
  - key: read
    agent: Mail
  - key: pay
    agent: Bank
`;

test.each([
  ['/name', 1, 1],
  ['/steps/1/agent', 6, 5],
  ['/steps/1', 5, 5],
  // What is missing is shown at what would contain it.
  ['/steps/1/timeout', 5, 5],
  ['/nowhere', 1, 1],
  ['', 1, 1],
])('%s is at %d:%d', (pointer, line, column) => {
  expect(positionOf(YAML, pointerParts(pointer))).toEqual({ line, column });
});

test('JSON, and a text that is broken', () => {
  expect(positionOf('{\n  "a/b": [1,\n    2]\n}', ['a/b', 1])).toEqual({ line: 3, column: 5 });
  expect(positionOf('{ "a": ', ['a', 'b'])).toMatchObject({ line: 1 });
});
