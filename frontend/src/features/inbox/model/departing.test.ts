import { describe, expect, it } from 'vitest';
import { endOf, withDeparting } from './departing';

const row = (id: string, status: 'PENDING' | 'APPROVED' = 'PENDING') => ({ id, status });
const ids = (rows: readonly { id: string; told: string | null }[]) => rows.map(({ id, told }) => (told === null ? id : `${id}: ${told}`));

describe('rows that leave', () => {
  it('stay where they were, whether the list still has them or not', () => {
    const b = { row: row('b'), index: 1, told: 'Approved by Ada' };
    expect(ids(withDeparting([row('a'), row('b'), row('c')], [b]))).toEqual(['a', 'b: Approved by Ada', 'c']);
    expect(ids(withDeparting([row('a'), row('c')], [b]))).toEqual(['a', 'b: Approved by Ada', 'c']);
  });

  it('are told of before it is known who it was', () => {
    expect(ids(withDeparting([row('a'), row('b', 'APPROVED')], []))).toEqual(['a', 'b: Approved']);
  });

  it('come last when the list has become shorter than that', () => {
    expect(ids(withDeparting([], [{ row: row('z'), index: 7, told: 'Timed out' }]))).toEqual(['z: Timed out']);
  });
});

describe('the end', () => {
  it('names who decided', () => {
    expect(endOf('APPROVED', 'Ada')).toBe('Approved by Ada');
    expect(endOf('TIMED_OUT', 'Ada')).toBe('Timed out');
    expect(endOf('CANCELLED', null)).toBe('Cancelled');
  });

  it('is none while others still have to decide', () => {
    expect(endOf('PENDING', 'Ada')).toBeNull();
  });
});
