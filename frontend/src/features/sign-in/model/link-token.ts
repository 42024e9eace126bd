/** The one-time token of a sign-in link, from the part of the address that browsers never send to a server. */
export function linkToken(hash: string): string | null {
  const encoded = /^#(?:.*&)?token=([^&]+)/.exec(hash)?.[1];
  if (encoded === undefined) return null;
  try {
    // Not URLSearchParams, which would turn a `+` into a space.
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Takes the token out of the address bar, so that it is in no history, bookmark or screenshot; a second call finds nothing. */
export function takeLinkToken(location: Location, history: History): string | null {
  const token = linkToken(location.hash);
  if (token !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}
