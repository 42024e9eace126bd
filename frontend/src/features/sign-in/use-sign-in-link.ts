import { useCallback, useLayoutEffect, useState } from 'react';
import { leaveFor } from '../../lib/navigate';
import { takeLinkToken } from './model/link-token';
import { redeemLink } from './model/sign-in';

export type SignInLink =
  | { status: 'none' }
  | { status: 'redeeming' }
  | { status: 'refused' }
  | { status: 'failed'; error: unknown; token: string };

/** Redeems the one-time link that this page was opened with, or that was pasted into its address bar later. */
export function useSignInLink(next: string): [SignInLink, redeem: (token: string) => Promise<void>] {
  const [link, setLink] = useState<SignInLink>({ status: 'none' });

  const redeem = useCallback(
    async (token: string) => {
      setLink({ status: 'redeeming' });
      try {
        if (await redeemLink(token)) await leaveFor(next);
        else setLink({ status: 'refused' });
      } catch (error) {
        setLink({ status: 'failed', error, token });
      }
    },
    [next],
  );

  // Before the first paint: the token should not be seen in the address bar, nor the form for a moment.
  useLayoutEffect(() => {
    const look = () => {
      const token = takeLinkToken(location, history);
      if (token !== null) void redeem(token);
    };
    look();
    // A second link pasted into the same tab changes only the fragment, which loads nothing.
    addEventListener('hashchange', look);
    return () => removeEventListener('hashchange', look);
  }, [redeem]);

  return [link, redeem];
}
