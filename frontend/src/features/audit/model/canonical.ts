import { ExactNumber } from '../../../lib/exact-json';

/**
 * JSON in one form only, so that equal values have equal hashes: RFC 8785, but with all the digits of a number, as the server
 * writes it (src/domain/canonical.rs).
 */
export function canonical(value: unknown): string {
  if (value instanceof ExactNumber) return exactNumber(value.digits);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    // By UTF-16 units, which is how JavaScript compares texts.
    const sorted = fields.toSorted(([one], [other]) => (one < other ? -1 : 1));
    return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
  }
  // Numbers that a double holds are written by JavaScript as the RFC wants them, but for the zero with a sign.
  return Object.is(value, -0) ? '0' : JSON.stringify(value);
}

/** As ECMAScript would write it if its numbers were long enough. */
function exactNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = whole + fraction;
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  const digits = all.slice(leading).replace(/0+$/, '');
  if (digits === '') return '0';
  const point = whole.length - leading + Number(exponent);
  if (digits.length <= point && point <= 21) return sign + digits + '0'.repeat(point - digits.length);
  if (point > 0 && point <= 21) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  if (point > -6 && point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  const rest = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${sign}${digits[0]}${rest}e${point > 0 ? '+' : ''}${point - 1}`;
}
