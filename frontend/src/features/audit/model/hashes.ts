import { canonical } from './canonical';
import type { Signature } from './lines';

/* The browser's own cryptography. It is there only in pages that came over HTTPS, or from this machine. */

export const canHash = (): boolean => globalThis.crypto?.subtle !== undefined;

const encoder = new TextEncoder();

export async function sha256(...parts: (string | Uint8Array)[]): Promise<string> {
  const bytes = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
  const joined = new Uint8Array(bytes.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of bytes) {
    joined.set(part, at);
    at += part.length;
  }
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', joined)));
}

/** Whether a signature is good for exactly what it says; null where the browser cannot tell. */
export async function isSigned(signature: Signature): Promise<boolean | null> {
  const { workspace, sequence, hash, at, key, interval } = signature;
  // Signatures of earlier versions do not say when the next one comes.
  const promise = interval === undefined ? {} : { interval };
  const statement = canonical({ purpose: 'countersign audit log', workspace, sequence, hash, at, key, ...promise });
  let publicKey: CryptoKey;
  try {
    publicKey = await crypto.subtle.importKey('raw', fromHex(key), { name: 'Ed25519' }, false, ['verify']);
  } catch (error) {
    return error instanceof DOMException && error.name === 'NotSupportedError' ? null : false;
  }
  return crypto.subtle.verify({ name: 'Ed25519' }, publicKey, fromHex(signature.signature), encoder.encode(statement)).catch(() => false);
}

/** Stands for a signature in the entry after it. */
export function seal({ workspace, sequence, hash, at, key, interval, signature }: Signature): Promise<string> {
  return sha256(canonical({ workspace, sequence, hash, at, key, interval, signature }));
}

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const pairs = /^(?:[\da-f]{2})*$/i.test(text) ? (text.match(/../g) ?? []) : [];
  return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
