/*
 * The API token that somebody chose to use instead of a session. It is kept in localStorage, on purpose, so that it survives
 * a reload; who uses a shared computer can forget it.
 */

const KEY = 'countersign.apiToken';

export type ApiTokenStore = ReturnType<typeof createApiTokenStore>;

export function createApiTokenStore(storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>) {
  const listeners = new Set<() => void>();
  let current = load();

  function load(): string | null {
    try {
      return storage().getItem(KEY);
    } catch {
      // The browser may forbid storage; the token then lasts as long as the page.
      return null;
    }
  }

  function become(next: string | null) {
    current = next;
    for (const listener of listeners) listener();
  }

  return {
    read: () => current,

    save(token: string): void {
      try {
        storage().setItem(KEY, token);
      } catch {
        // As above.
      }
      become(token);
    },

    forget(): void {
      try {
        storage().removeItem(KEY);
      } catch {
        // As above.
      }
      become(null);
    },

    /** Takes over what another tab saved or forgot; a null key means that all storage was cleared. */
    noticeChange(key: string | null): void {
      if (key === KEY || key === null) become(load());
    },

    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The token in what somebody pasted, or null when it cannot be one (a header value takes no spaces and no non-ASCII). */
export function cleanToken(pasted: string): string | null {
  const token = pasted.trim().replace(/^bearer\s+/i, '');
  return /^[\x21-\x7e]+$/.test(token) ? token : null;
}

export const apiToken: ApiTokenStore = createApiTokenStore(() => localStorage);

if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => apiToken.noticeChange(event.key));
}
