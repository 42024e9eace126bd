import { useRef, useState } from 'react';
import { useClient } from 'urql';
import { graphql } from '../../gql/documents';
import { ApiError } from '../../lib/errors';
import { showSuccess } from '../../lib/notify';
import { ownPath } from '../../lib/own-path';
import { toApiError } from '../../lib/send-exchange';
import { refusalOf } from '../../lib/use-command';
import { sendFile } from './model/upload';

const ADD = graphql(`
  mutation AddDeliverableVersion($input: AddDeliverableVersionInput!) {
    addDeliverableVersion(input: $input) {
      upload {
        url
        token
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** Uploads a file as the next version: first a place for it, then its bytes. The page hears of the version by its event. */
export function useUpload({ id, versionNumber }: { id: string; versionNumber: number }) {
  const client = useClient();
  const running = useRef<AbortController | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [error, setError] = useState<unknown>(null);

  async function place(file: File) {
    const input = { deliverableId: id, baseVersion: versionNumber, content: { upload: { size: file.size } }, ...typeOf(file) };
    const result = await client.mutation(ADD, { input }).toPromise();
    const failure = result.error ? toApiError(result.error) : refusalOf(result.data);
    if (failure) throw failure;
    const upload = result.data?.addDeliverableVersion.upload;
    if (!upload) throw new ApiError('INTERNAL', 'the server gave no place for the upload');
    return upload;
  }

  async function start(file: File): Promise<boolean> {
    const abort = new AbortController();
    running.current = abort;
    setError(null);
    setProgress(0);
    try {
      const { url, token } = await place(file);
      await sendFile({ path: ownPath(url), token, file, onProgress: setProgress, signal: abort.signal });
      showSuccess(`Uploaded as version ${versionNumber + 1}`);
      return true;
    } catch (failure) {
      if (!abort.signal.aborted) setError(failure);
      return false;
    } finally {
      setProgress(null);
    }
  }

  return { progress, error, start, cancel: () => running.current?.abort() };
}

/** Browsers name a type by the file's name; where they do not know, the server looks at the content. */
function typeOf(file: File): { mimeType?: string } {
  return file.type === '' ? {} : { mimeType: file.type };
}
