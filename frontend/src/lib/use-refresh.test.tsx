// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useRefresh } from './use-refresh';

afterEach(() => {
  vi.useRealTimers();
});

test('a burst is one question, about what the page shows when it is asked', () => {
  vi.useFakeTimers();
  const [before, after] = [vi.fn(), vi.fn()];
  const { result, rerender } = renderHook(({ ask }) => useRefresh(ask, 100), { initialProps: { ask: before } });
  result.current();
  result.current();
  rerender({ ask: after });
  act(() => vi.advanceTimersByTime(100));
  expect(before).not.toHaveBeenCalled();
  expect(after).toHaveBeenCalledExactlyOnceWith({ requestPolicy: 'network-only' });
});
