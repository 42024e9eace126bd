import { ApiError } from '../../../lib/errors';

export interface Sending {
  /** Where to, and the token that is for this one upload. */
  path: string;
  token: string;
  file: Blob;
  /** The part that has been sent, from 0 to 1. */
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

/** Sends a file's bytes. `fetch` cannot tell how far an upload is, so this is the older way. */
export function sendFile({ path, token, file, onProgress, signal }: Sending): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort);
    request.open('PUT', path);
    request.setRequestHeader('authorization', `Bearer ${token}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total));
    request.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    request.addEventListener('error', () => reject(new ApiError('UNREACHABLE', 'the upload broke off')));
    request.addEventListener('load', () => {
      if (request.status === 201) resolve();
      else reject(refusal(request.status, request.responseText));
    });
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    request.send(file);
  });
}

/** What the server said, which comes in the form of all its errors; a proxy in between may say something else. */
export function refusal(status: number, body: string): ApiError {
  try {
    const { errors } = JSON.parse(body) as { errors?: { message: string; extensions?: { code?: string } }[] };
    const first = errors?.[0];
    if (first) return new ApiError(first.extensions?.code ?? 'INTERNAL', first.message);
  } catch {
    // Not ours.
  }
  return status === 413 ? new ApiError('TOO_LARGE', 'the file is larger than the server takes') : new ApiError('INTERNAL', `status ${status}`);
}
