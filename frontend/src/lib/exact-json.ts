/*
 * JSON whose numbers keep all their digits. JavaScript's own parser rounds what does not fit a double, and a person must never
 * approve an amount or an account number that differs from what will be used.
 *
 * A number that would be rounded becomes an `ExactNumber`; everything else is what JSON.parse makes of it.
 */

export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  toString(): string {
    return this.digits;
  }

  /** For code that knows nothing of exact numbers; `stringifyExact` never calls it. */
  toJSON(): number {
    return Number(this.digits);
  }
}

/**
 * Sixteen digits or a large exponent: only then is there anything to lose. They count where a number can begin; most pages of a list
 * have an id with the likes of 5e123 in it, and going through all of their tokens takes longer than a frame may.
 */
const MAY_ROUND = /(?:^|[:,[\s])-?(?:\d[\d.]{15,}|\d[\d.]*[eE][+-]?\d{3,})/;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARK = '\u0000exact:';

export function parseExact(text: string): unknown {
  if (!MAY_ROUND.test(text)) return JSON.parse(text);
  // Numbers that would be rounded travel through the parser as marked texts; no JSON text of the server's contains a NUL.
  const marked = text.replace(TOKEN, (token) => (token.startsWith('"') || survives(token) ? token : JSON.stringify(MARK + token)));
  if (marked === text) return JSON.parse(text);
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value,
  );
}

export function stringifyExact(value: unknown, indent?: number): string {
  // Ten megabytes without such a number, as most are, take a tenth of the time without a replacer.
  if (!hasExact(value)) return JSON.stringify(value, null, indent);
  // JSON.stringify asks toJSON first, so the replacer looks at the holder instead.
  const text = JSON.stringify(
    value,
    function replace(this: Record<string, unknown>, key: string, current: unknown) {
      const held = this[key];
      return held instanceof ExactNumber ? MARK + held.digits : current;
    },
    indent,
  );
  return text.replaceAll(/"\\u0000exact:([^"]+)"/g, '$1');
}

/** Whether there is a number inside that only a text can show. */
export function hasExact(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ExactNumber) return true;
  if (Array.isArray(value)) return value.some(hasExact);
  for (const key in value) if (Object.hasOwn(value, key) && hasExact((value as Record<string, unknown>)[key])) return true;
  return false;
}

/** Whether a double holds exactly what is written: the digits that it prints are the digits that were there. */
function survives(token: string): boolean {
  return canonical(String(Number(token))) === canonical(token);
}

/** The digits without sign of zero, point and trailing zeros, and the exponent of the first: one form for each value. */
function canonical(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`;
  const leading = /^0*/.exec(digits)?.[0].length ?? 0;
  const significant = digits.slice(leading).replace(/0+$/, '');
  return significant === '' ? '0' : `${sign}${significant}e${Number(exponent) + whole.length - leading}`;
}
