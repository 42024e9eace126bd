import { ApiError } from './errors';

/** What every mutation's payload has in common. */
export interface Payload {
  userErrors: { code: string; message: string }[];
}

export interface SessionPayload extends Payload {
  session: { accessToken: string; expiresAt: string } | null;
}

/** Makes a refusal that the caller can fix look like any other failure to the code that shows failures. */
export function throwUserError({ userErrors }: Payload): void {
  const first = userErrors[0];
  if (first) throw new ApiError(first.code, first.message);
}
