import { expect, test, vi } from 'vitest';
import { ExactNumber, parseExact, stringifyExact } from './exact-json';

test.each([
  '12345678901234567890',
  '-0.12345678901234567890',
  '1e400',
  '[9007199254740993,1]',
  '[1,-9007199254740993,1.5e400]',
  '{"iban":"12345678901234567890","n":12345678901234567890,"text":"a \\"quoted\\" 12345678901234567890"}',
])('%s comes out as it went in', (text) => {
  expect(stringifyExact(parseExact(text))).toBe(text);
});

test('only what would be rounded is special', () => {
  expect(parseExact('[1.5, 9007199254740992, 0.1, 1e3, 1000000000000000000000]')).toEqual([1.5, 9007199254740992, 0.1, 1000, 1e21]);
  expect(parseExact('9007199254740993')).toEqual(new ExactNumber('9007199254740993'));
});

test('numbers are found however the text is laid out', () => {
  expect(parseExact('{\n\t"a" : 9007199254740993 ,\n"b":[ -1.5E+400]}')).toEqual({ a: new ExactNumber('9007199254740993'), b: [new ExactNumber('-1.5E+400')] });
});

test('texts that look like large numbers are nothing to go through a whole page for', () => {
  const replace = vi.spyOn(String.prototype, 'replace');
  expect(parseExact('[{"id":"exe_01k5e123","iban":"12345678901234567890"}]')).toEqual([{ id: 'exe_01k5e123', iban: '12345678901234567890' }]);
  expect(replace).not.toHaveBeenCalled();
});

test('text that is not JSON is refused', () => {
  expect(() => parseExact('12345678901234567890 x')).toThrow(SyntaxError);
  expect(() => parseExact('{')).toThrow(SyntaxError);
});

test('ten megabytes come through whole', () => {
  const large = JSON.stringify({ rows: Array.from({ length: 100_000 }, (_, id) => ({ id, name: `row ${id}`, text: 'x'.repeat(60) })) });
  const text = `[${large},12345678901234567890]`;
  expect(stringifyExact(parseExact(text))).toBe(text);
});
