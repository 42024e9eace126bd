import { parseExact } from '../../../lib/exact-json';

/* The lines of an export of the audit log; docs/audit.md describes them. */

export interface Commitment {
  of?: string;
  sha256: string;
}

export interface PersonalValue {
  of?: string;
  salt: string;
  value: unknown;
}

export interface Signature {
  workspace: string;
  sequence: number;
  hash: string;
  at: string;
  key: string;
  /** How many seconds later entries wait for the next signature at most. */
  interval?: number;
  signature: string;
}

export type Line =
  | { type: 'head'; workspace: string; first: number }
  | { type: 'entry'; content: Record<string, unknown>; hash: string; values: Record<string, PersonalValue> }
  | ({ type: 'signature' } & Signature)
  | { type: 'unreadable'; sequence: number; reason: string }
  | { type: 'end'; sequence: number; hash: string; complete: boolean };

/** One line. What is not of a known kind is refused: a verifier must not pass over what it cannot read. */
export function parseLine(text: string): Line {
  const fields = parseExact(text) as Record<string, unknown>;
  const { type, ...rest } = fields;
  if (type === 'entry') {
    const { hash, values, ...content } = rest;
    return { type, content, hash: String(hash), values: (values ?? {}) as Record<string, PersonalValue> };
  }
  if (type === 'head' || type === 'signature' || type === 'unreadable' || type === 'end') return { type, ...rest } as Line;
  throw new Error(`a line of the kind ${String(type)}`);
}

/** The lines of a stream of bytes, however it is cut into pieces. */
export async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = '';
  try {
    while (true) {
      // oxlint-disable-next-line no-await-in-loop -- it comes one piece after the other
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      yield* lines.filter((line) => line !== '');
      if (done) return;
    }
  } finally {
    // Whoever stops listening stops the server's sending, too.
    await reader.cancel().catch(() => {});
  }
}
