import { dataOf, post } from '../../../lib/graphql';
import { throwUserError, type SessionPayload } from '../../../lib/payload';

const WHO = 'query DemoVisitor { serverInfo { demoVisitor { displayName } } }';

const SIGN_IN = `mutation DemoSignIn {
  demoSignIn { session { accessToken expiresAt } userErrors { code message path } }
}`;

/** As whom anybody on this machine may look around; null where there is no demo, or only for others. */
export async function demoVisitor(): Promise<string | null> {
  const reply = await post<{ serverInfo: { demoVisitor: { displayName: string } | null } }>({ query: WHO });
  return dataOf(reply).serverInfo.demoVisitor?.displayName ?? null;
}

export async function signInToDemo(): Promise<void> {
  const reply = await post<{ demoSignIn: SessionPayload }>({ query: SIGN_IN });
  throwUserError(dataOf(reply).demoSignIn);
}
