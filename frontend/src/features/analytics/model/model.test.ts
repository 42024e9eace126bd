import { expect, test } from 'vitest';
import { bucketFor, bucketLabel, bucketsFor } from './buckets';
import { decisionRows, executionRows, isEmpty, percentileRows } from './rows';

test('bars suit the range, and a choice that makes too many is not taken', () => {
  expect(bucketFor(24, null)).toBe('HOUR');
  expect(bucketFor(30 * 24, null)).toBe('DAY');
  expect(bucketFor(90 * 24, 'WEEK')).toBe('WEEK');
  expect(bucketFor(365 * 24, 'HOUR')).toBe('WEEK');
  expect(bucketsFor(24)).toEqual(['HOUR']);
});

test('a bucket is named by the clock of the zone', () => {
  expect(bucketLabel('2026-03-01T23:00:00Z', 'DAY', 'Europe/Vienna')).toMatch(/2/);
  expect(bucketLabel('2026-03-01T23:00:00Z', 'DAY', 'UTC')).toMatch(/1/);
});

const AXIS = { bucket: 'DAY', timeZone: 'UTC' } as const;
const NONE = { asked: 0, approved: 0, modified: 0, rejected: 0, timedOut: 0, autoApproved: 0, answered: 0, cancelled: 0, overridden: 0 };

test('what was modified is counted once', () => {
  const [row] = decisionRows([{ from: '2026-03-01T00:00:00Z', outcomes: { ...NONE, approved: 5, modified: 2 } }], AXIS);
  expect(row).toMatchObject({ Approved: 3, Modified: 2 });
});

test('how executions ended, in a few groups', () => {
  const byOutcome = [{ reason: 'SUCCESS', count: 3 }, { reason: 'PARTIAL', count: 1 }, { reason: 'MAX_COST', count: 2 }] as const;
  const [row] = executionRows([{ from: '2026-03-01T00:00:00Z', ended: 6, byOutcome }], AXIS);
  expect(row).toMatchObject({ Completed: 4, 'Limit reached': 2, Failed: 0 });
});

test('nothing is nothing', () => {
  expect(isEmpty([{ label: 'a', x: 0 }])).toBe(true);
  expect(isEmpty([{ label: 'a', x: 1 }])).toBe(false);
  expect(percentileRows([{ name: 'a', figures: { p50: null, p95: null, p99: null } }])).toEqual([]);
});
