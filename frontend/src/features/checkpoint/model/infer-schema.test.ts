import { describe, expect, it } from 'vitest';
import { inferSchema } from './infer-schema';

describe('a schema read off a value', () => {
  it('keeps each type what it is', () => {
    expect(inferSchema({ to: 'ada', amount: 5, urgent: true, tags: ['a'] })).toEqual({
      type: 'object',
      properties: {
        to: { type: 'string' },
        amount: { type: 'number' },
        urgent: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
      },
    });
  });

  it('is none where nothing can be said', () => {
    expect(inferSchema({ a: null })).toBeNull();
    expect(inferSchema({ a: [1, 'x'] })).toBeNull();
    expect(inferSchema({ a: [] })).toBeNull();
  });
});
