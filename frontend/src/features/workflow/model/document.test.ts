import { expect, test } from 'vitest';
import { converted, sampleInput, textOf, valueOf } from './document';

const DEFINITION = { name: 'Refund', steps: [{ key: 'pay', agent: 'Payments', input: { memo: "'Order ' + input.order" } }], defaults: {} };

test('YAML as people write it, and back', () => {
  const yaml = textOf(DEFINITION, 'yaml');
  expect(yaml).toContain('name: Refund\n');
  expect(yaml).toContain('  - key: pay\n');
  expect(valueOf(yaml)).toEqual(DEFINITION);
});

test('digits are kept on the way from format to format', () => {
  const json = '{\n  "limit": 123456789012345678901234567890,\n  "small": 7\n}';
  const yaml = converted(json, 'yaml');
  expect(yaml).toBe('limit: 123456789012345678901234567890\nsmall: 7\n');
  expect(converted(yaml ?? '', 'json')).toBe(json);
});

test('a text that is half written has no value', () => {
  expect(valueOf('steps: [{')).toBeUndefined();
  expect(converted('{"a": ', 'yaml')).toBeNull();
});

test('texts that look like something else stay texts', () => {
  expect(valueOf(textOf({ a: 'true', b: '7', c: 'null', d: '' }, 'yaml'))).toEqual({ a: 'true', b: '7', c: 'null', d: '' });
});

test('a form begins with the defaults', () => {
  expect(sampleInput({ defaults: { reason: '' } })).toEqual({ reason: '' });
  expect(sampleInput('half written')).toEqual({});
});
