import { dataOf, post } from '../../../lib/graphql';
import { throwUserError, type SessionPayload } from '../../../lib/payload';

const SIGN_IN = `mutation SignIn($input: SignInInput!) {
  signIn(input: $input) { session { accessToken expiresAt } userErrors { code message path } }
}`;

const REDEEM = `mutation RedeemSignInLink($input: RedeemSignInLinkInput!) {
  redeemSignInLink(input: $input) { session { accessToken expiresAt } userErrors { code message path } }
}`;

/*
 * The access tokens in these answers are dropped: this page is about to be left, and the next one gets its own with the cookie
 * that came along.
 */

export async function signIn(email: string, password: string): Promise<void> {
  const reply = await post<{ signIn: SessionPayload }>({ query: SIGN_IN, variables: { input: { email, password } } });
  throwUserError(dataOf(reply).signIn);
}

/** False when the link is no longer good; rejects when nobody can tell, and the same link may be tried again. */
export async function redeemLink(token: string): Promise<boolean> {
  const reply = await post<{ redeemSignInLink: SessionPayload }>({ query: REDEEM, variables: { input: { token } } });
  const { session, userErrors } = dataOf(reply).redeemSignInLink;
  return session !== null && userErrors.length === 0;
}
