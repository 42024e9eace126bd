import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { ExactNumber } from '../../../lib/exact-json';
import { canonical } from './canonical';
import { sha256 } from './hashes';
import { linesOf, parseLine, type Line } from './lines';
import { createVerifier, type Trust } from './verify';

const WORKSPACE = 'ws_1';

/** A log as the server writes it. */
async function log(actions: string[]): Promise<string[]> {
  const lines: unknown[] = [{ type: 'head', format: 1, workspace: WORKSPACE, slug: 'default', exportedAt: 'x', first: 1 }];
  let previous = '0'.repeat(64);
  for (const [index, action] of actions.entries()) {
    const value = { name: 'Ada' };
    // oxlint-disable-next-line no-await-in-loop -- a chain is made link by link
    const promised = await sha256(new Uint8Array([1, 2]), canonical(value));
    const content = { workspace: WORKSPACE, sequence: index + 1, previous, action, subject: 'user_1', details: { amount: 1.5 }, personal: { actor: { of: 'user_1', sha256: promised } } };
    // oxlint-disable-next-line no-await-in-loop -- as above
    previous = await sha256(canonical(content));
    lines.push({ type: 'entry', ...content, hash: previous, values: { actor: { of: 'user_1', salt: '0102', value } } });
  }
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
  const statement = { workspace: WORKSPACE, sequence: actions.length, hash: previous, at: '2026-01-01T00:00:00Z', key };
  const signature = sign(null, Buffer.from(canonical({ purpose: 'countersign audit log', ...statement })), privateKey).toString('hex');
  lines.push({ type: 'signature', ...statement, signature }, { type: 'end', sequence: actions.length, hash: previous, complete: true });
  return lines.map((line) => JSON.stringify(line));
}

async function verify(lines: readonly string[], trust: Trust = {}) {
  const verifier = createVerifier(trust);
  // oxlint-disable-next-line no-await-in-loop -- the order is what is checked
  for (const line of lines) await verifier.take(parseLine(line));
  return verifier.finish();
}

const ACTIONS = ['user.invited', 'policy.changed', 'session.started'];

test('a log that is as it was written is sound', async () => {
  expect(await verify(await log(ACTIONS))).toMatchObject({ entries: 3, last: 3, signatures: 1, signed: 3, erased: 0, complete: true, signaturesChecked: true });
});

test('whatever was done to it is found, and where', async () => {
  const lines = await log(ACTIONS);
  const edit = (index: number, change: (line: string) => string) => lines.map((line, at) => (at === index ? change(line) : line));
  await expect(verify(edit(2, (line) => line.replace('1.5', '1.6')))).rejects.toMatchObject({ fault: 'changed', sequence: 2 });
  await expect(verify(edit(2, (line) => line.replace('Ada', 'Eve')))).rejects.toMatchObject({ fault: 'changed', sequence: 2 });
  await expect(verify(lines.toSpliced(2, 1))).rejects.toMatchObject({ fault: 'removed', sequence: 2 });
  await expect(verify(lines.toSpliced(2, 0, lines[1] ?? ''))).rejects.toMatchObject({ fault: 'inserted' });
  await expect(verify(lines.slice(0, -1))).rejects.toMatchObject({ fault: 'removed', sequence: 4 });
  await expect(verify(edit(4, (line) => line.replace('2026-01-01', '2026-01-02')))).rejects.toMatchObject({ fault: 'forged' });
  await expect(verify(lines, { key: 'ab' })).rejects.toMatchObject({ fault: 'forged' });
  await expect(verify(lines, { head: { sequence: 9, hash: 'ab' } })).rejects.toMatchObject({ fault: 'removed', sequence: 4 });
  await expect(verify(lines, { head: { sequence: 2, hash: 'ab' } })).rejects.toMatchObject({ fault: 'changed', sequence: 2 });
});

test('signatures are part of the chain', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
  const entryAfter = async (sequence: number, previous: string, seal: Record<string, string>) => {
    const content = { workspace: WORKSPACE, sequence, previous, action: 'group.created', personal: {}, ...seal };
    const hash = await sha256(canonical(content));
    return { hash, line: { type: 'entry', ...content, hash, values: {} } };
  };
  const first = await entryAfter(1, '0'.repeat(64), {});
  const statement = { workspace: WORKSPACE, sequence: 1, hash: first.hash, at: '2026-01-01T00:00:00Z', key, interval: 60 };
  const signature = sign(null, Buffer.from(canonical({ purpose: 'countersign audit log', ...statement })), privateKey).toString('hex');
  const signed = { ...statement, signature };
  const write = async (seal: Record<string, string>, signatures: unknown[]) => {
    const second = await entryAfter(2, first.hash, seal);
    const head = { type: 'head', format: 1, workspace: WORKSPACE, slug: 'default', exportedAt: 'x', first: 1 };
    return [head, first.line, ...signatures, second.line, { type: 'end', sequence: 2, hash: second.hash, complete: true }].map((line) => JSON.stringify(line));
  };
  const line = { type: 'signature', ...signed };
  const seal = await sha256(canonical(signed));
  expect(await verify(await write({ seal }, [line]))).toMatchObject({ entries: 2, signatures: 1, signed: 1 });
  await expect(verify(await write({ seal }, []))).rejects.toMatchObject({ fault: 'removed', sequence: 1 });
  await expect(verify(await write({}, [line]))).rejects.toMatchObject({ fault: 'inserted', sequence: 1 });
  await expect(verify(await write({ seal: 'ab' }, [line]))).rejects.toMatchObject({ fault: 'changed', sequence: 1 });
  await expect(verify(['{"type":"unreadable","sequence":5,"reason":"x"}'].toSpliced(0, 0, (await log(ACTIONS))[0] ?? ''))).rejects.toMatchObject({ fault: 'made unreadable', sequence: 5 });
});

test('a personal value may be gone only if its owner was erased', async () => {
  const without = (lines: string[]) => lines.map((line, at) => (at === 1 ? line.replace(/"values":.*$/, '"values":{}}') : line));
  await expect(verify(without(await log(ACTIONS)))).rejects.toMatchObject({ fault: 'removed', sequence: 1 });
  expect(await verify(without(await log([...ACTIONS, 'user.data_erased'])))).toMatchObject({ erased: 1 });
});

test('one form for each value', () => {
  expect(canonical({ b: [1, -0, 4.5, 1e30, 1e-27], a: '\u20ac\u000f"', é: null })).toBe('{"a":"€\\u000f\\"","b":[1,0,4.5,1e+30,1e-27],"é":null}');
  for (const [digits, expected] of [
    ['123456789012345678901', '123456789012345678901'],
    ['1234567890123456789012', '1.234567890123456789012e+21'],
    ['0.12345678901234567890', '0.1234567890123456789'],
    ['0.000000123456789012345678', '1.23456789012345678e-7'],
    ['-12345678901234567.50', '-12345678901234567.5'],
  ] as const) {
    expect(canonical(new ExactNumber(digits))).toBe(expected);
  }
});

test('lines come whole, however the bytes are cut', async () => {
  const bytes = new TextEncoder().encode('{"a":"é"}\n{"b":1}\n');
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  const lines: string[] = [];
  for await (const line of linesOf(stream)) lines.push(line);
  expect(lines).toEqual(['{"a":"é"}', '{"b":1}']);
  expect(() => parseLine('{"type":"other"}') as Line).toThrow('other');
});
