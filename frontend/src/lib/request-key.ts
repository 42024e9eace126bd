/**
 * A key that makes a creating mutation safe to send again. Not `crypto.randomUUID`, which browsers have on secure pages only.
 */
export function requestKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}
