import { parseDocument, visit } from 'yaml';
import { ExactNumber, parseExact, stringifyExact } from '../../../lib/exact-json';

/* A workflow's document as a text that people write: YAML or JSON, two ways to write the same value. */

export type Format = 'yaml' | 'json';

/** Whole numbers of any size keep their digits. */
const READING = { intAsBigInt: true, logLevel: 'silent' } as const;

export function textOf(definition: unknown, format: Format): string {
  const json = stringifyExact(definition, 2);
  return format === 'json' ? json : yamlOf(json);
}

/** The same document in the other format; null while it cannot be read. Comments survive only where there can be some. */
export function converted(text: string, to: Format): string | null {
  const value = valueOf(text);
  if (value === undefined) return null;
  return to === 'yaml' ? yamlOf(stringifyExact(value, 2)) : stringifyExact(value, 2);
}

/** The value of a text in either format; undefined while it cannot be read. */
export function valueOf(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    const document = parseDocument(text, READING);
    return document.errors.length > 0 ? undefined : exact(document.toJS());
  }
}

/** Every JSON text is YAML already; it only has to look like it. */
function yamlOf(json: string): string {
  const document = parseDocument(json, READING);
  visit(document, {
    Collection: (_, node) => {
      node.flow = false;
    },
    Scalar: (_, node) => {
      // Quotes are then only where YAML needs them.
      delete node.type;
    },
  });
  return document.toString({ lineWidth: 100 });
}

function exact(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : new ExactNumber(String(value));
  if (Array.isArray(value)) return value.map(exact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, exact(one)]));
}

/** What a form for a workflow's input begins with: its defaults. */
export function sampleInput(definition: unknown): Record<string, unknown> {
  const defaults = field(definition, 'defaults');
  return typeof defaults === 'object' && defaults !== null && !Array.isArray(defaults) ? { ...defaults } : {};
}

export function inputSchemaOf(definition: unknown): unknown {
  return field(definition, 'inputSchema') ?? null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
