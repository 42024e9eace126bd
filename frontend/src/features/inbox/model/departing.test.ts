import { describe, expect, it } from 'vitest';
import { endOf, withDeparting } from './departing';

const row = (id: string) => ({ id });
const ids = (rows: readonly { id: string; told: string | null }[]) => rows.map(({ id, told }) => (told === null ? id : `${id}: ${told}`));

describe('rows that leave', () => {
  it('stay where they were, whether the list still has them or not', () => {
    const b = { row: row('b'), index: 1, told: 'Approved by Ada' };
    expect(ids(withDeparting([row('a'), row('b'), row('c')], [b]))).toEqual(['a', 'b: Approved by Ada', 'c']);
    expect(ids(withDeparting([row('a'), row('c')], [b]))).toEqual(['a', 'b: Approved by Ada', 'c']);
  });

  it('come last when the list has become shorter than that', () => {
    expect(ids(withDeparting([], [{ row: row('z'), index: 7, told: 'Timed out' }]))).toEqual(['z: Timed out']);
  });
});

describe('the end that an event tells', () => {
  it('names who decided', () => {
    expect(endOf('CheckpointApproved', 'Ada')).toBe('Approved by Ada');
    expect(endOf('CheckpointTimedOut', 'Ada')).toBe('Timed out');
    expect(endOf('CheckpointCancelled', null)).toBe('Cancelled');
  });

  it('is none while others still have to decide', () => {
    expect(endOf('CheckpointDecided', 'Ada')).toBeNull();
  });
});
