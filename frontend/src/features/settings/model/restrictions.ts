export const LIMITS = [
  { field: 'operationTypes', label: 'Operation types' },
  { field: 'workflows', label: 'Workflows' },
  { field: 'agents', label: 'Agents' },
  { field: 'queues', label: 'Queues' },
] as const;

export type Limits = Record<(typeof LIMITS)[number]['field'], string[]>;

export const NO_LIMITS: Limits = { operationTypes: [], workflows: [], agents: [], queues: [] };

/** The API's input; null if nothing is restricted. An empty list would allow nothing, so it is left out. */
export function restrictionsOf(limits: Limits): Partial<Limits> | null {
  const given = LIMITS.filter(({ field }) => limits[field].length > 0).map(({ field }) => [field, limits[field]] as const);
  return given.length === 0 ? null : Object.fromEntries(given);
}

type Named = { readonly name: string };

interface Restrictions {
  operationTypes: readonly string[] | null;
  workflows: readonly Named[] | null;
  agents: readonly Named[] | null;
  queues: readonly string[] | null;
}

/** What a token is restricted to, in words; nothing if it is not. */
export function restrictionsInWords(restrictions: Restrictions | null): string[] {
  if (restrictions === null) return [];
  return LIMITS.flatMap(({ field, label }) => {
    const list = restrictions[field];
    return list === null ? [] : [`${label}: ${list.map((one) => (typeof one === 'string' ? one : one.name)).join(', ')}`];
  });
}
