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
      ['amount', 'Should be a number.'],
      ['lines.1.a/b', 'Should be a whole number.'],
      ['to', 'Fits none of the forms that are possible here.'],
      ['kind', 'Should be one of the values to choose from.'],
    ]),
  );
  expect(told.filter(([path]) => path === 'to')).toHaveLength(1);
  expect(told.some(([, message]) => message?.includes('"extra" is not known'))).toBe(true);
});

test('a problem says what would be right', () => {
  const schema = {
    properties: {
      month: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}$', examples: ['2026-01'] },
      code: { pattern: '^[A-Z]+$' },
      mail: { $ref: '#/$defs/mail' },
      asked: { exclusiveMinimum: 0 },
      name: { minLength: 1 },
      people: { type: 'array', minItems: 2, items: { type: ['string', 'null'] } },
    },
    $defs: { mail: { format: 'email' } },
  };
  const told = validate(schema, { month: '1/2026', code: 'a', mail: 'x', asked: 0, name: '', people: [7] });
  expect(Object.fromEntries(told.map(({ path, message }) => [path.join('.'), message]))).toEqual({
    month: 'Should look like 2026-01.',
    code: 'Should look like ^[A-Z]+$.',
    mail: 'Should be an e-mail address, such as ada@example.com.',
    asked: 'Should be more than 0.',
    name: 'Should not be empty.',
    people: 'Should have at least 2 entries.',
    'people.0': 'Should be a text or empty.',
  });
});

test('a schema that cannot be read stops nobody', () => {
  expect(validate({ $ref: '#/nowhere' }, 1)).toEqual([]);
  expect(isValid(null, 1)).toBe(true);
});
