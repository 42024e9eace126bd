import { useMemo } from 'react';
import { SignInPage } from '../../features/sign-in/sign-in-page';
import { safeNext, sessionEnded } from '../../lib/safe-next';

export function Component() {
  const next = useMemo(() => safeNext(location.search, location.origin), []);
  return <SignInPage next={next} ended={sessionEnded(location.search)} />;
}
