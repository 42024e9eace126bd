// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useFollowing } from './use-following';

test('a field follows until somebody writes in it, and again when it says the same', () => {
  const { result, rerender } = renderHook(({ theirs }) => useFollowing(theirs), { initialProps: { theirs: 'one' } });
  rerender({ theirs: 'two' });
  expect(result.current[0]).toBe('two');
  act(() => result.current[1]('mine'));
  rerender({ theirs: 'three' });
  expect(result.current[0]).toBe('mine');
  rerender({ theirs: 'mine' });
  rerender({ theirs: 'four' });
  expect(result.current[0]).toBe('four');
});
