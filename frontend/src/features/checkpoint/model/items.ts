import { isScalar, labelOf, shortText } from './readable';

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
export function factsOf(data: unknown): { label: string; value: string }[] {
  if (isScalar(data)) return [{ label: '', value: shortText(data) }];
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return [];
  return Object.entries(data)
    .filter(([, value]) => isScalar(value))
    .slice(0, MOST_FACTS)
    .map(([key, value]) => ({ label: labelOf(key), value: shortText(value, 60) }));
}

/** What the button says: how much of it is approved. */
export function approveLabel(total: number, chosen: number): string {
  if (total === 0) return 'Approve';
  return chosen === total ? `Approve all (${total})` : `Approve selected (${chosen})`;
}
