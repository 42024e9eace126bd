import { expect, test } from 'vitest';
import { safeNext, signInPath } from './safe-next';

const ORIGIN = 'https://countersign.example';
const next = (value: string) => safeNext(`?next=${encodeURIComponent(value)}`, ORIGIN);

test.each(['/graphiql', '/executions/exec_1?tab=journal#latest', '/a//b', '/@host', '/%2F%2Fhost'])('honours %j', (path) => {
  expect(next(path)).toBe(path);
});

test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/\\/evil.example',
  '/a\\b',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  'https://evil.example',
  'https:/evil.example',
  'javascript:alert(1)',
  'graphiql',
  '',
])('refuses %j', (path) => {
  expect(next(path)).toBe('/inbox');
});

test('has a default, also instead of this very page', () => {
  expect(safeNext('', ORIGIN)).toBe('/inbox');
  expect(next('/sign-in')).toBe('/inbox');
  expect(next('/sign-in?next=/sign-in')).toBe('/inbox');
});

test('a page comes back with all of its filters', () => {
  const left = '/executions?status=FAILED&mode=LIVE#top';
  expect(safeNext(new URL(signInPath(left), ORIGIN).search, ORIGIN)).toBe(left);
});

test('what it returns stays on the origin when the browser resolves it', () => {
  for (const path of ['/graphiql', '/./x', '/a/../b', '/%5c%5chost', '/:80']) {
    expect(new URL(next(path), ORIGIN).origin).toBe(ORIGIN);
  }
});
