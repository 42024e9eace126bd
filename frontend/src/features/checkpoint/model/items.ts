import { stringifyExact } from '../../../lib/exact-json';
import { count } from '../../../lib/format';
import { isObject, isScalar, labelOf, LONGEST_LIST, shortText, type Readable } from './readable';

export interface Item {
  readonly id: string;
  readonly label: string;
  readonly action: string | null;
  readonly data: unknown;
}

/** The items that are chosen, in their order. */
export function chosenItems(items: readonly Item[], leftOut: ReadonlySet<string>): string[] {
  return items.filter(({ id }) => !leftOut.has(id)).map(({ id }) => id);
}

/** Those with the words in them, in any case. */
export function searchItems(items: readonly Item[], text: string): readonly Item[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items.filter(({ id, label, action, data }) => {
    const all = `${id} ${label} ${action ?? ''} ${factsOf(data).map(({ value }) => value).join(' ')}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

const MOST_FACTS = 4;

/** The first few flat fields of an item: enough to know it by. */
export function factsOf(data: unknown): { key: string; label: string; value: string }[] {
  if (isScalar(data)) return [{ key: '', label: '', value: shortText(data) }];
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [];
  return Object.entries(data)
    .filter(([, value]) => isScalar(value))
    .slice(0, MOST_FACTS)
    .map(([key, value]) => ({ key, label: labelOf(key), value: shortText(value, 60) }));
}

/**
 * How a list among the parameters reads whose entries are the items: these have a table of their own, which need not be said twice.
 * Only some of them, as after somebody approved a part, are told by name. Null for a list that says anything else.
 */
export function itemList(values: readonly unknown[], items: readonly Item[]): Readable | null {
  const known = new Map(items.map((item) => [item.id, item]));
  const meant = values.map((value) => known.get(String(isObject(value) ? value['id'] : value)));
  if (!meant.every((item, index) => item !== undefined && shows(item, values[index]))) return null;
  if (values.length === items.length) {
    const below = items.length === 1 ? 'The item below' : `The ${count(items.length)} items below`;
    // A row has room for a few fields only; who decides must know where the others are.
    return { kind: 'plain', text: items.every(fitsRow) ? below : `${below}; the JSON has all of their fields` };
  }
  if (values.length > LONGEST_LIST) return { kind: 'plain', text: `${count(values.length)} of the ${count(items.length)} items` };
  return { kind: 'list', values: meant.map((item) => item?.label ?? '') };
}

const fitsRow = ({ data }: Item) => !isObject(data) || Object.keys(data).length === factsOf(data).length;

const ENTRY = new Set(['id', 'label', 'action', 'data']);

/** Whether an item has all that an entry of a list has: the server makes items from entries, or from what they call their data. */
function shows({ data }: Item, value: unknown): boolean {
  const same = stringifyExact(data);
  if (stringifyExact(value) === same) return true;
  return isObject(value) && Object.keys(value).every((key) => ENTRY.has(key)) && stringifyExact(value['data'] ?? null) === same;
}

/** What the button says: how much of it is approved. */
export function approveLabel(total: number, chosen: number): string {
  if (total === 0) return 'Approve';
  return chosen === total ? `Approve all (${count(total)})` : `Approve selected (${count(chosen)})`;
}
