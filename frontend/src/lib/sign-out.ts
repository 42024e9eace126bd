import { send } from './api';
import { hasCode } from './errors';
import { dataOf } from './graphql';
import { throwUserError, type Payload } from './payload';
import { session } from './session';

const SIGN_OUT = 'mutation SignOut { signOut(input: {}) { userErrors { code message path } } }';

/** Ends the session on the server first: a token that only this page has forgotten would still be good. */
export async function signOut(): Promise<void> {
  try {
    throwUserError(dataOf(await send<{ signOut: Payload }>({ query: SIGN_OUT })).signOut);
  } catch (error) {
    // Already signed out is what was asked for.
    if (!hasCode(error, 'UNAUTHENTICATED')) throw error;
  }
  session.end();
}
