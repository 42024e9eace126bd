const HOME = '/inbox';
const SIGN_IN = '/sign-in';

/**
 * Where to go after signing in: the `next` of the query string if it is a path on this origin, otherwise the default.
 *
 * A link that signs somebody in and then lands on another site is a phishing tool, so everything that a browser could read as
 * a host is refused: `//host`, `/\host`, and both with control characters in between, which URL parsers drop.
 */
export function safeNext(search: string, origin: string): string {
  const next = new URLSearchParams(search).get('next');
  if (next === null || !/^\/(?![/\\])/.test(next) || /[\\\p{Cc}]/u.test(next)) return HOME;

  const url = new URL(next, origin);
  if (url.origin !== origin) return HOME;
  // `/.//host` is a path when resolved, but `//host` once it is normalised.
  if (url.pathname.startsWith('//')) return HOME;
  // Coming back here would look as if signing in had failed.
  if (url.pathname === SIGN_IN) return HOME;
  return url.pathname + url.search + url.hash;
}

/** `ended`: somebody was there, and should read why they no longer are. */
export function signInPath(next: string, ended = false): string {
  return `${SIGN_IN}?next=${encodeURIComponent(next)}${ended ? '&ended' : ''}`;
}

export function sessionEnded(search: string): boolean {
  return new URLSearchParams(search).has('ended');
}
