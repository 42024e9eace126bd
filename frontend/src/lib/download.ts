import { apiToken } from './api-token';
import { ApiError } from './errors';
import { session } from './session';

/** A file of the server's that asks for a token, such as an export. The answer can be read as it comes. */
export async function fetchFile(path: string, signal?: AbortSignal): Promise<Response> {
  const token = apiToken.read() ?? (await session.token());
  const headers: Record<string, string> = token === null ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(path, { headers, credentials: 'same-origin', ...(signal ? { signal } : {}) }).catch((cause: unknown) => {
    throw new ApiError('UNREACHABLE', String(cause));
  });
  if (!response.ok) throw new ApiError(response.status === 403 ? 'FORBIDDEN' : 'INTERNAL', await reasonOf(response));
  return response;
}

/** Follows a link that works without a token; what it leads to says itself that it is a download, so the page stays. */
export function follow(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  return text.trim().slice(0, 300) || `the server answered with ${response.status}`;
}
