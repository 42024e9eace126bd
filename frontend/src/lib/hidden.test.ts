import { describe, expect, it } from 'vitest';
import { hiddenLines, HIDDEN_IN_CODE, hidesKey, piecesOf, visible, visibleJson } from './hidden';

const named = (text: string, key = false) => piecesOf(text, key).flatMap((piece) => (piece.kind === 'text' ? [] : [piece.code]));

describe('hidden characters', () => {
  it('names what cannot be seen', () => {
    expect(named('\u202e00.5\u202c EUR')).toEqual(['U+202E', 'U+202C']);
    for (const [text, code] of [
      ['a\u200bb', 'U+200B'],
      ['a\u00adb', 'U+00AD'],
      ['a\u2066b', 'U+2066'],
      ['a\u0000b', 'U+0000'],
      ['a\u001bb', 'U+001B'],
      ['a\u2028b', 'U+2028'],
      ['a\u3164b', 'U+3164'],
      ['a\u2800b', 'U+2800'],
      ['a\u{e0041}b', 'U+E0041'],
      ['a\ufe0fb', 'U+FE0F'],
    ] as const) {
      expect(named(text), text).toEqual([code]);
    }
  });

  it('leaves texts of every language and pictures alone', () => {
    for (const text of ['Zahlung über 5 €\n\tan Bob', 'возврат денег', '返金 refund', 'شكرا', 'תודה', '👩‍💻 ❤️ 1️⃣ 👍🏽', 'Ångström', 'naïve café', 'H₂O, 5 m²', '']) {
      expect(named(text), text).toEqual([]);
      expect(visible(text)).toBe(text);
    }
  });

  it('names letters of another script among Latin ones', () => {
    expect(named('аmount')).toEqual(['U+0430']);
    expect(named('Pаypal and Αpple')).toEqual(['U+0430', 'U+0391']);
    expect(named('ａmount')).toEqual(['U+FF41']);
    expect(named('𝐚mount')).toEqual(['U+1D41A']);
    expect(named('ухо'), 'a Russian word').toEqual([]);
    expect(named('ухо', true), 'a key that looks like "yxo"').toEqual(['U+0443', 'U+0445', 'U+043E']);
  });

  it('says so where only a text can stand', () => {
    expect(visible('\u202e00.5')).toBe('[U+202E]00.5');
    expect(visible('аmount')).toBe('а[U+0430]mount');
    expect(visibleJson('{"a":"\u202e\u{e0041}x"}')).toBe('{"a":"\\u202e\\udb40\\udc41x"}');
    expect(JSON.parse(visibleJson('{"a":"\u202e\u{e0041}x"}'))).toEqual({ a: '\u202e\u{e0041}x' });
  });

  it('finds the lines in which something is hidden, and the place in long ones', () => {
    const told = (text: string) => hiddenLines(text).map(({ line, pieces }) => `${line}: ${pieces.map((piece) => (piece.kind === 'text' ? piece.text : piece.code)).join('|')}`);
    expect(told('Zahlung über 5 €\nan Bob 👩‍💻')).toEqual([]);
    expect(told('one\ntwo\u200b\n\nf\u2066our')).toEqual(['2: two|U+200B', '4: f|U+2066|our']);
    expect(told(`${'a'.repeat(100)}\u202e${'b'.repeat(100)}\u202c${'c'.repeat(100)}`)).toEqual([`1: …${'a'.repeat(24)}|U+202E|${'b'.repeat(24)}…${'b'.repeat(24)}|U+202C|${'c'.repeat(24)}…`]);
    expect(hiddenLines('\u200b'.repeat(10_000))[0]?.pieces).toHaveLength(41);
  });

  it('lets an editor name them one by one', () => {
    expect('a\u202eb\u200bc\u{e0041}d\u0000\n\t'.replaceAll(HIDDEN_IN_CODE, '.')).toBe('a.b.c.d.\n\t');
    expect('👩‍💻 ❤️ über'.replaceAll(HIDDEN_IN_CODE, '.')).toBe('👩‍💻 ❤️ über');
  });

  it('knows when a label hides its key', () => {
    expect(hidesKey('customer_id', 'Customer id')).toBe(false);
    expect(hidesKey('customerId', 'Customer id')).toBe(false);
    expect(hidesKey('fee', 'Amount')).toBe(true);
    expect(hidesKey('аmount', 'Аmount')).toBe(true);
    expect(hidesKey('amount\u200b', 'Amount\u200b')).toBe(true);
    expect(hidesKey('金額', '金額')).toBe(false);
  });
});
