/**
 * The path of one of the server's own links. It names the address that the operator gave; the page may have been reached by
 * another one, and must not ask a foreign origin.
 */
export function ownPath(url: string): string {
  const { pathname, search } = new URL(url, location.origin);
  return pathname + search;
}
