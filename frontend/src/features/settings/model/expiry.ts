export const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'never', label: 'Until it is revoked' },
] as const;

/** When a token that is made now ends; null for one that does not. */
export function expiryOf(lifetime: string, now: number): string | null {
  const days = Number(lifetime);
  return Number.isFinite(days) ? new Date(now + days * 24 * 3_600_000).toISOString() : null;
}
