import type { UiSchema } from '@rjsf/utils';
import { isNamed, piecesOf, visible } from '../../lib/hidden';

const LONG = 90;

/**
 * Which fields need more than a line: those that have more than a line already. A one-line field would drop the line breaks of a
 * text as soon as somebody touched it. A key that hides something is named as it is, whatever its title.
 */
export function uiFor(value: unknown): UiSchema {
  if (typeof value === 'string') return value.includes('\n') || value.length > LONG ? { 'ui:widget': 'textarea', 'ui:options': { rows: 5 } } : {};
  if (Array.isArray(value)) {
    const items = Object.assign({}, ...value.map(uiFor)) as UiSchema;
    return Object.keys(items).length > 0 ? { items } : {};
  }
  if (typeof value !== 'object' || value === null) return {};
  const parts = Object.entries(value).map(([key, part]) => [key, { ...titleFor(key), ...uiFor(part) }] as const);
  return Object.fromEntries(parts.filter(([, ui]) => Object.keys(ui).length > 0));
}

function titleFor(key: string): UiSchema {
  return piecesOf(key, true).some(isNamed) ? { 'ui:title': visible(key, true) } : {};
}
