import { ExactNumber } from '../../../lib/exact-json';

/*
 * A request from outside has no schema. For a form, one is read off what was proposed: texts stay texts, numbers numbers, flags
 * flags. Where that cannot be said, such as of a null, there is no form, and the JSON is edited.
 */

export function inferSchema(value: unknown): Record<string, unknown> | null {
  if (typeof value === 'string') return { type: 'string' };
  if (typeof value === 'number' || value instanceof ExactNumber) return { type: 'number' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (Array.isArray(value)) return inferList(value);
  if (typeof value !== 'object' || value === null) return null;
  const parts = Object.entries(value).map(([key, part]) => [key, inferSchema(part)] as const);
  if (parts.some(([, part]) => part === null)) return null;
  return { type: 'object', properties: Object.fromEntries(parts) };
}

function inferList(values: readonly unknown[]): Record<string, unknown> | null {
  const kinds = new Map(values.map((value) => [JSON.stringify(inferSchema(value)), inferSchema(value)]));
  const [items] = kinds.values();
  return kinds.size === 1 && items ? { type: 'array', items } : null;
}
