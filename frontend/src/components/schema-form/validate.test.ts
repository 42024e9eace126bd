import { expect, test } from 'vitest';
import { isValid, validate } from './validate';

const SCHEMA = {
  type: 'object',
  required: ['amount', 'reason'],
  additionalProperties: false,
  properties: {
    amount: { type: 'number', minimum: 1 },
    reason: { type: 'string', minLength: 3 },
    lines: { type: 'array', items: { type: 'object', properties: { 'a/b': { type: 'integer' } } } },
    to: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    kind: { $ref: '#/$defs/kind' },
  },
  $defs: { kind: { enum: ['refund', 'credit'] } },
};

test('what fits has no problem', () => {
  expect(validate(SCHEMA, { amount: 5, reason: 'broken', lines: [{ 'a/b': 1 }], to: 7, kind: 'refund' })).toEqual([]);
});

test('each problem is told once, where it is', () => {
  const value = { amount: '5', lines: [{}, { 'a/b': 'x' }], to: null, kind: 'gift', extra: 1 };
  const told = validate(SCHEMA, value).map(({ path, message }) => [path.join('.'), message]);
  expect(told).toEqual(
    expect.arrayContaining([
      ['reason', 'Is missing.'],
      ['amount', 'Should be number.'],
      ['lines.1.a/b', 'Should be integer.'],
      ['to', 'Fits none of the forms that are possible here.'],
      ['kind', 'Should be one of the values to choose from.'],
    ]),
  );
  expect(told.filter(([path]) => path === 'to')).toHaveLength(1);
  expect(told.some(([, message]) => message?.includes('"extra" is not known'))).toBe(true);
});

test('a schema that cannot be read stops nobody', () => {
  expect(validate({ $ref: '#/nowhere' }, 1)).toEqual([]);
  expect(isValid(null, 1)).toBe(true);
});
