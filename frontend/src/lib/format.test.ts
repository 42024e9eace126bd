import { expect, test } from 'vitest';
import { bytes, credits, duration, people, relativeTime, words } from './format';

const NOW = Date.parse('2026-03-01T12:00:00Z');

test.each([
  [0, 'just now'],
  [-9, 'just now'],
  [-45, '45 seconds ago'],
  [-60, '1 minute ago'],
  [-3599, '59 minutes ago'],
  [-7200, '2 hours ago'],
  [-86_400, 'yesterday'],
  [90, 'in 1 minute'],
])('%d seconds from now is %j', (seconds, text) => {
  expect(relativeTime(NOW + seconds * 1000, NOW)).toBe(text);
});

test('after two weeks a date says more', () => {
  expect(relativeTime(NOW - 15 * 86_400_000, NOW)).toContain('2026');
});

test.each([
  [0, '0 s'],
  [0.0002, '1 ms'],
  [0.35, '350 ms'],
  [1.23, '1.2 s'],
  [59.6, '1 min'],
  [185, '3 min 5 s'],
  [7200, '2 h'],
  [187_200, '2 d 4 h'],
  [-5, '0 s'],
])('%d seconds last %j', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});

test.each([
  [0, '0.00'],
  [1_500_000, '1.50'],
  [4_200, '0.0042'],
  [1, '0.000001'],
  [2_345_678_900, '2,345.68'],
])('%d micro-credits are %j', (micros, text) => {
  expect(credits(micros)).toBe(text);
});

test('sizes and constants', () => {
  expect([people(1), people(3002)]).toEqual(['One person', '3,002 people']);
  expect([bytes(0), bytes(1023), bytes(1536), bytes(10_485_760)]).toEqual(['0 B', '1,023 B', '1.5 KiB', '10 MiB']);
  const shown = ['AWAITING_APPROVAL', 'API_TOKEN_CREATED', 'HTTP_STATUS', 'SIGN_IN_REFUSED', 'SIGNED_IN'].map(words);
  expect(shown).toEqual(['Awaiting approval', 'API token created', 'HTTP status', 'Sign-in refused', 'Signed in']);
});
