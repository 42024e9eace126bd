/** What the server found: the first of those that fit, and whether there are more. */
export interface Found {
  readonly nodes: readonly Named[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

type Named = { readonly id: string } & ({ readonly name: string } | { readonly displayName: string; readonly email: string } | object);

/** Stands at the end of a list that goes on. No id looks like it. */
export const MORE = 'more';

/** People have names that others have as well; nobody has their address. */
export function nameOf(node: Named): string | null {
  if ('displayName' in node) return `${node.displayName} (${node.email})`;
  return 'name' in node ? node.name : null;
}

export interface Choice {
  value: string;
  label: string;
  disabled?: boolean;
}

/** What can be chosen, with what is chosen among it: the field takes its text from there. */
export function choicesOf(found: Found | undefined, chosen: { id: string; name: string } | null, except?: string): Choice[] {
  const names = new Map(found?.nodes.map((node) => [node.id, nameOf(node) ?? node.id]));
  if (except !== undefined) names.delete(except);
  if (chosen !== null) names.set(chosen.id, chosen.name);
  const choices = [...names].map(([value, label]) => ({ value, label }));
  const more = { value: MORE, label: 'There are more: type a part of the name', disabled: true };
  return found?.pageInfo.hasNextPage ? [...choices, more] : choices;
}

/** The choices with this text in their names, in large or small letters. Whether there are more of them is known once it was `searched` for. */
export function narrowed(choices: readonly Choice[], text: string, searched: boolean): Choice[] {
  const wanted = text.toLowerCase();
  return choices.filter(({ value, label }) => (value === MORE ? searched : label.toLowerCase().includes(wanted)));
}
