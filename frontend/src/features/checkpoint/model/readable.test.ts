import { describe, expect, it } from 'vitest';
import { parseExact } from '../../../lib/exact-json';
import { labelOf, readable, shortText } from './readable';

describe('a value for people', () => {
  it('takes names and explanations from the schema, the order from the value', () => {
    const schema = {
      type: 'object',
      properties: { amount: { type: 'number', title: 'Amount', description: 'In euros' }, to: { $ref: '#/$defs/person' } },
      $defs: { person: { title: 'Recipient', properties: { iban: { title: 'IBAN' } } } },
    };
    expect(readable({ to: { iban: 'AT12' }, amount: 12.5, urgent: false }, schema)).toEqual({
      kind: 'fields',
      fields: [
        {
          key: 'to',
          label: 'Recipient',
          description: null,
          value: { kind: 'fields', fields: [{ key: 'iban', label: 'IBAN', description: null, value: { kind: 'text', text: 'AT12', cut: 0 } }] },
        },
        { key: 'amount', label: 'Amount', description: 'In euros', value: { kind: 'plain', text: '12.5' } },
        { key: 'urgent', label: 'Urgent', description: null, value: { kind: 'plain', text: 'No' } },
      ],
    });
  });

  it('keeps all digits', () => {
    expect(readable(parseExact('12345678901234567890'))).toEqual({ kind: 'plain', text: '12345678901234567890' });
  });

  it('shows lists and rows of the same fields', () => {
    expect(readable(['a', 1])).toEqual({ kind: 'list', values: ['a', '1'] });
    expect(readable([{ sku: 'A', n: 1 }, { sku: 'B' }])).toEqual({ kind: 'table', columns: [{ key: 'sku', label: 'Sku' }, { key: 'n', label: 'N' }], rows: [['A', '1'], ['B', '–']] });
  });

  it('names the values of a choice', () => {
    expect(readable('AT', { oneOf: [{ const: 'AT', title: 'Austria' }] })).toEqual({ kind: 'plain', text: 'Austria' });
  });

  it('leaves what is large or deep to the JSON view', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, index]));
    expect(readable(many)).toMatchObject({ kind: 'json' });
    expect(readable(Array.from({ length: 5_000 }, () => 1))).toMatchObject({ kind: 'json' });
    expect(readable('x'.repeat(10_000))).toMatchObject({ kind: 'text', cut: 6_000 });
  });

  it('survives a schema that refers to itself', () => {
    expect(readable({ a: 1 }, { $ref: '#' , properties: { a: { $ref: '#/properties/a' } } })).toMatchObject({ kind: 'fields' });
  });
});

describe('small texts', () => {
  it('are labels', () => {
    expect([labelOf('customerId'), labelOf('due_date'), labelOf('x', { title: 'Reason' })]).toEqual(['Customer id', 'Due date', 'Reason']);
  });

  it('are cells', () => {
    expect([shortText(null), shortText(true), shortText({ a: 1 }), shortText('abcdef', 3)]).toEqual(['–', 'Yes', '{"a":1}', 'abc…']);
  });
});
