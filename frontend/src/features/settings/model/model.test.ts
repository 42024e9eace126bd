import { expect, test } from 'vitest';
import { absenceErrors, absenceInput, localTime } from './absence';
import { browserOf } from './browser';
import { expiryOf } from './expiry';
import { passwordProblem } from './password';
import { NO_LIMITS, restrictionsInWords, restrictionsOf } from './restrictions';

const NOW = Date.parse('2026-03-10T12:00:00Z');

test('a password is long enough and typed twice', () => {
  expect(passwordProblem('short', 'short')).toMatchObject({ field: 'next' });
  expect(passwordProblem('correct horse', 'correct hors')).toMatchObject({ field: 'again' });
  expect(passwordProblem('correct horse', 'correct horse')).toBeNull();
});

test('an absence needs a delegate and an end that is still to come', () => {
  expect(Object.keys(absenceErrors({ delegateId: null, startsAt: '', endsAt: '' }, NOW))).toEqual(['delegateId', 'endsAt']);
  expect(absenceErrors({ delegateId: 'u', startsAt: '', endsAt: '2026-03-09T12:00' }, NOW)).toHaveProperty('endsAt');
  expect(absenceErrors({ delegateId: 'u', startsAt: '2026-03-12T12:00', endsAt: '2026-03-11T12:00' }, NOW)).toHaveProperty('endsAt');
  expect(absenceErrors({ delegateId: 'u', startsAt: '', endsAt: '2026-03-11T12:00' }, NOW)).toEqual({});
  expect(absenceInput({ delegateId: 'u', startsAt: '', endsAt: '2026-03-11T12:00' })).toEqual({ delegateId: 'u', endsAt: '2026-03-11T12:00:00.000Z' });
  expect(localTime(NOW)).toBe('2026-03-10T12:00');
});

test('a token lasts for as long as was chosen', () => {
  expect(expiryOf('30', NOW)).toBe('2026-04-09T12:00:00.000Z');
  expect(expiryOf('never', NOW)).toBeNull();
});

test('what is left empty does not restrict a token', () => {
  expect(restrictionsOf(NO_LIMITS)).toBeNull();
  expect(restrictionsOf({ ...NO_LIMITS, queues: ['billing'] })).toEqual({ queues: ['billing'] });
  expect(restrictionsInWords(null)).toEqual([]);
  expect(restrictionsInWords({ operationTypes: ['refund', 'payout'], workflows: [{ name: 'Refunds' }], agents: null, queues: null })).toEqual(['Operation types: refund, payout', 'Workflows: Refunds']);
});

test('a browser by its name', () => {
  expect(browserOf('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36')).toBe('Chrome on Linux');
  expect(browserOf('curl/8.0')).toBe('curl/8.0');
  expect(browserOf(null)).toBe('Unknown program');
});
