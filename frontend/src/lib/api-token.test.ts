import { expect, test, vi } from 'vitest';
import { cleanToken, createApiTokenStore } from './api-token';

function fakeStorage() {
  const values = new Map<string, string>();
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
    removeItem: (key: string) => void values.delete(key),
  };
}

test('a token survives a reload until it is forgotten', () => {
  const storage = fakeStorage();
  createApiTokenStore(() => storage).save('cst_1');
  const reloaded = createApiTokenStore(() => storage);
  expect(reloaded.read()).toBe('cst_1');

  reloaded.forget();
  expect(reloaded.read()).toBeNull();
  expect(createApiTokenStore(() => storage).read()).toBeNull();
});

test('tells its subscribers, until they leave', () => {
  const store = createApiTokenStore(fakeStorage);
  const listener = vi.fn();
  const leave = store.subscribe(listener);
  store.save('cst_1');
  store.forget();
  leave();
  store.save('cst_2');
  expect(listener).toHaveBeenCalledTimes(2);
});

test('follows what another tab did', () => {
  const storage = fakeStorage();
  const here = createApiTokenStore(() => storage);
  const there = createApiTokenStore(() => storage);
  there.save('cst_1');
  here.noticeChange('graphiql:tabState');
  expect(here.read()).toBeNull();
  here.noticeChange('countersign.apiToken');
  expect(here.read()).toBe('cst_1');
});

test('lasts as long as the page where the browser forbids storage', () => {
  const store = createApiTokenStore(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  expect(store.read()).toBeNull();
  store.save('cst_1');
  expect(store.read()).toBe('cst_1');
  store.forget();
  expect(store.read()).toBeNull();
});

test.each([
  ['cst_1', 'cst_1'],
  ['  cst_1\n', 'cst_1'],
  ['Bearer cst_1', 'cst_1'],
  ['two words', null],
  ['tökén', null],
  ['a\nb', null],
  ['   ', null],
])('cleans %j to %j', (pasted, token) => {
  expect(cleanToken(pasted)).toBe(token);
});
