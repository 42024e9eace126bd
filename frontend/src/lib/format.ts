/* Numbers and times as people read them, in the language and the zone of their browser. */

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relativeFormat = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' });
const exactFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const numberFormat = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const compactFormat = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });
const creditFormat = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const smallCreditFormat = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 2 });
const percentFormat = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

export function relativeTime(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 10) return 'just now';
  if (distance < MINUTE) return relativeFormat.format(seconds, 'second');
  if (distance < HOUR) return relativeFormat.format(Math.trunc(seconds / MINUTE), 'minute');
  if (distance < DAY) return relativeFormat.format(Math.trunc(seconds / HOUR), 'hour');
  if (distance < 14 * DAY) return relativeFormat.format(Math.trunc(seconds / DAY), 'day');
  return dateFormat.format(at);
}

export const exactTime = (at: number): string => exactFormat.format(at);

/** The two largest units: `2 d 4 h`, `3 min 5 s`, `1.2 s`, `350 ms`. */
export function duration(seconds: number): string {
  const value = Math.max(seconds, 0);
  if (value === 0) return '0 s';
  if (value < 1) return `${Math.max(Math.round(value * 1000), 1)} ms`;
  if (value < 10) return `${numberFormat.format(value)} s`;
  const whole = Math.round(value);
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return pair(whole, MINUTE, 'min', 1, 's');
  if (whole < DAY) return pair(whole, HOUR, 'h', MINUTE, 'min');
  return pair(whole, DAY, 'd', HOUR, 'h');
}

function pair(seconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % large) / small);
  const head = `${Math.floor(seconds / large)} ${largeUnit}`;
  return rest === 0 ? head : `${head} ${rest} ${smallUnit}`;
}

/** Micro-credits as credits: two digits after the point, more for what would otherwise look like nothing. */
export function credits(micros: number): string {
  const value = micros / 1_000_000;
  const small = value !== 0 && Math.abs(value) < 0.01;
  return (small ? smallCreditFormat : creditFormat).format(value);
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB'];

export function bytes(size: number): string {
  const step = size < 1 ? 0 : Math.min(Math.floor(Math.log2(size) / 10), BYTE_UNITS.length - 1);
  return `${numberFormat.format(size / 1024 ** step)} ${BYTE_UNITS[step]}`;
}

export const count = (value: number): string => numberFormat.format(value);
export const people = (number: number): string => (number === 1 ? 'One person' : `${count(number)} people`);
export const compactCount = (value: number): string => compactFormat.format(value);
export const percent = (share: number): string => percentFormat.format(share);

/** `AWAITING_APPROVAL` as people write it. */
export function words(constant: string): string {
  const text = constant
    .toLowerCase()
    .replaceAll('_', ' ')
    .replaceAll(/\b(api|http)\b/g, (name) => name.toUpperCase())
    .replace(/^sign in /, 'sign-in ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The end of a global id, enough for people to tell two apart: `exec_…jqbvst` */
export const shortId = (id: string): string => `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}`;
