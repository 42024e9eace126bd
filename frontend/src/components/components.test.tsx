// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../lib/errors';
import { render } from '../testing/render';
import { ConfidenceBar } from './confidence-bar';
import { ConfirmButton } from './confirm-button';
import { Countdown } from './countdown';
import { ErrorState } from './error-state';
import { FieldDiff } from './field-diff';
import { fieldDifferences } from './model/field-diff';
import { RelativeTime } from './relative-time';
import { StatusBadge } from './status-badge';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setInterval', 'clearInterval'] });
});
afterEach(() => {
  vi.useRealTimers();
});

test('a relative time goes on counting, and has the exact one for who points at it', async () => {
  render(<RelativeTime at={at(-55)} />);
  const time = screen.getByText('55 seconds ago');
  expect(time.getAttribute('datetime')).toBe(at(-55));
  expect(time.title).toContain('2026');
  vi.advanceTimersByTime(10_000);
  await waitFor(() => expect(time.textContent).toBe('1 minute ago'));
});

test('a countdown ends in words', async () => {
  render(<Countdown until={at(2)} />);
  expect(screen.getByText('2 s left')).toBeTruthy();
  vi.advanceTimersByTime(3_000);
  await waitFor(() => expect(screen.getByText('Overdue')).toBeTruthy());
});

test('what is not known is said to be so', () => {
  render(
    <>
      <ConfidenceBar value={null} />
      <Countdown until={null} />
      <StatusBadge of="step" status={'FROM_THE_FUTURE' as 'RUNNING'} />
      <FieldDiff changes={fieldDifferences({ a: 1 }, { a: 1 })} />
    </>,
  );
  for (const text of ['Not given', 'No deadline', 'FROM_THE_FUTURE', 'Nothing differs.']) expect(screen.getByText(text)).toBeTruthy();
});

test('a failure is told in words and can be tried again', async () => {
  const retry = vi.fn();
  render(<ErrorState error={new ApiError('UNREACHABLE', 'TypeError: fetch failed')} onRetry={retry} />);
  expect(screen.getByRole('alert').textContent).toContain('cannot be reached');
  expect(screen.queryByText(/TypeError/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledOnce();
});

test('what cannot be taken back asks first, and stays open when it failed', async () => {
  const confirm = vi.fn<(reason: string) => Promise<boolean>>().mockResolvedValueOnce(false).mockResolvedValueOnce(true);
  render(
    <ConfirmButton title="Stop it?" explanation="It ends." confirmLabel="Stop" reason={{ label: 'Why?', required: true }} onConfirm={confirm}>
      Stop…
    </ConfirmButton>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Stop…' }));
  await userEvent.type(await screen.findByLabelText(/Why/), ' wrong customer ');
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(confirm).toHaveBeenCalledExactlyOnceWith('wrong customer'));
  expect(screen.getByRole('dialog')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
