import { ExactNumber, stringifyExact } from '../../../lib/exact-json';

/*
 * A JSON value as people read it: fields with names, lists, small tables. What is too large or too deep for that stays JSON, which
 * has a view of its own.
 */

export interface Field {
  readonly key: string;
  readonly label: string;
  readonly description: string | null;
  readonly value: Readable;
}

export interface Column {
  readonly key: string;
  readonly label: string;
}

export type Readable =
  | { readonly kind: 'text'; readonly text: string; readonly cut: number }
  | { readonly kind: 'plain'; readonly text: string }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'list'; readonly values: readonly string[] }
  | { readonly kind: 'table'; readonly columns: readonly Column[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'fields'; readonly fields: readonly Field[] }
  | { readonly kind: 'json'; readonly value: unknown };

const LONGEST_TEXT = 4_000;
export const LONGEST_LIST = 60;
const WIDEST_TABLE = 6;
const DEEPEST = 3;
const MOST_FIELDS = 200;

/** For a list that is shown elsewhere as well: what stands in its place. Null for every other. */
export type ListReader = (values: readonly unknown[]) => Readable | null;

/** `schema` is the JSON Schema of the value, if there is one: names and explanations come from it. */
export function readable(value: unknown, schema?: unknown, lists: ListReader = () => null): Readable {
  const root = isObject(schema) ? schema : {};
  return new Reader(root, lists).read(value, root, 0);
}

type Schema = Record<string, unknown>;

class Reader {
  readonly #root: Schema;
  readonly #lists: ListReader;
  #left = MOST_FIELDS;

  constructor(root: Schema, lists: ListReader) {
    this.#root = root;
    this.#lists = lists;
  }

  read(value: unknown, schema: Schema, depth: number): Readable {
    if (value === null || value === undefined) return { kind: 'nothing' };
    const named = titleOfChoice(value, schema);
    if (named !== null) return { kind: 'plain', text: named };
    if (typeof value === 'string') return text(value);
    if (isScalar(value)) return { kind: 'plain', text: scalarText(value) };
    if (Array.isArray(value)) return this.#list(value);
    return this.#fields(value as Record<string, unknown>, schema, depth);
  }

  #list(values: readonly unknown[]): Readable {
    if (values.length === 0) return { kind: 'nothing' };
    const elsewhere = this.#lists(values);
    if (elsewhere !== null) return elsewhere;
    if (values.length > LONGEST_LIST) return { kind: 'json', value: values };
    if (values.every((value) => isScalar(value) && String(value).length <= 200)) return { kind: 'list', values: values.map(scalarText) };
    return tableOf(values) ?? { kind: 'json', value: values };
  }

  #fields(value: Record<string, unknown>, schema: Schema, depth: number): Readable {
    const entries = Object.entries(value);
    if (entries.length === 0) return { kind: 'nothing' };
    this.#left -= entries.length;
    if (depth >= DEEPEST || this.#left < 0) return { kind: 'json', value };
    return {
      kind: 'fields',
      fields: entries.map(([key, one]) => {
        const part = this.#property(schema, key);
        return { key, label: labelOf(key, part), description: textOf(part['description']), value: this.read(one, part, depth + 1) };
      }),
    };
  }

  #property(schema: Schema, key: string): Schema {
    const properties = this.#resolved(schema)['properties'];
    return isObject(properties) ? this.#resolved(properties[key]) : {};
  }

  /** Follows references within the document, a few of them: a schema may refer to itself. */
  #resolved(schema: unknown, hops = 5): Schema {
    if (!isObject(schema)) return {};
    const target = textOf(schema['$ref']);
    if (target === null || !target.startsWith('#/') || hops === 0) return schema;
    const found = target.slice(2).split('/').reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), this.#root);
    return { ...this.#resolved(found, hops - 1), ...schema };
  }
}

/** Rows of the same few flat fields. */
function tableOf(values: readonly unknown[]): Readable | null {
  if (!values.every(isObject)) return null;
  const keys = [...new Set(values.flatMap((value) => Object.keys(value)))];
  if (keys.length === 0 || keys.length > WIDEST_TABLE) return null;
  const rows = values.map((value) => keys.map((key) => value[key] ?? null));
  if (!rows.flat().every((cell) => cell === null || (isScalar(cell) && String(cell).length <= 200))) return null;
  return { kind: 'table', columns: keys.map((key) => ({ key, label: labelOf(key, {}) })), rows: rows.map((row) => row.map((cell) => (cell === null ? '–' : scalarText(cell)))) };
}

function text(value: string): Readable {
  if (value === '') return { kind: 'nothing' };
  return { kind: 'text', text: value.slice(0, LONGEST_TEXT), cut: Math.max(value.length - LONGEST_TEXT, 0) };
}

/** "oneOf" with a title for each value is how schemas name the values of a choice. */
function titleOfChoice(value: unknown, schema: Schema): string | null {
  const choices = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(choices) || !isScalar(value)) return null;
  const match = choices.find((choice) => isObject(choice) && choice['const'] === value);
  return isObject(match) ? textOf(match['title']) : null;
}

/** `customerId`, `customer_id` and `customer-id` as people write it. */
export function labelOf(key: string, schema: Schema = {}): string {
  const title = textOf(schema['title']);
  if (title !== null) return title;
  const spaced = key.replaceAll(/[_-]+/g, ' ').replaceAll(/([a-z\d])([A-Z])/g, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export function scalarText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (value instanceof ExactNumber) return value.digits;
  return typeof value === 'string' ? value : stringifyExact(value);
}

/** One line about any value, for a cell. */
export function shortText(value: unknown, longest = 120): string {
  if (value === null || value === undefined) return '–';
  const full = isScalar(value) ? scalarText(value) : stringifyExact(value);
  return full.length > longest ? `${full.slice(0, longest)}…` : full;
}

export function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value instanceof ExactNumber;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
