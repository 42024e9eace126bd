import { send } from '../../../lib/api';
import { hasCode } from '../../../lib/errors';
import { dataOf } from '../../../lib/graphql';
import { throwUserError, type Payload } from '../../../lib/payload';
import { session } from '../../../lib/session';

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
