import { canonical } from './canonical';
import { fromHex, isSigned, seal, sha256 } from './hashes';
import type { Commitment, Line } from './lines';

/*
 * Checks an audit log line by line, as `countersign audit verify` does (src/domain/audit/verify.rs): the browser need not believe
 * the server that the log is sound.
 */

export interface Report {
  first: number;
  last: number;
  hash: string;
  entries: number;
  signatures: number;
  /** The last entry that is under a signature. */
  signed: number;
  keys: string[];
  erased: number;
  complete: boolean;
  /** The browser knows the kind of signature. */
  signaturesChecked: boolean;
}

/** The first thing that is wrong. */
export class Broken extends Error {
  readonly fault: 'changed' | 'removed' | 'inserted' | 'forged' | 'made unreadable';
  readonly sequence: number;

  constructor(fault: Broken['fault'], sequence: number, message: string) {
    super(message);
    this.fault = fault;
    this.sequence = sequence;
  }
}

export interface Trust {
  /** A place in the chain that was seen before, `SEQUENCE:HASH`. */
  head?: { sequence: number; hash: string } | undefined;
  /** The only key that signatures may be of. */
  key?: string | undefined;
}

const BEGINNING = '0'.repeat(64);
const ERASED = 'user.data_erased';

export function createVerifier(trust: Trust = {}) {
  const report: Report = { first: 1, last: 0, hash: BEGINNING, entries: 0, signatures: 0, signed: 0, keys: [], erased: 0, complete: false, signaturesChecked: true };
  let workspace: string | null = null;
  let beforeLast = '';
  let ended = false;
  // Stands for the signature under the last entry, which the next one must cover.
  let sealed: string | null = null;
  // By whose it is: the first value that is gone since their data was last erased.
  const gone = new Map<string, { sequence: number; part: string }>();

  async function entry({ content, hash, values }: Extract<Line, { type: 'entry' }>) {
    const expected = report.last + 1;
    const sequence = Number(content['sequence']);
    const previous = text(content['previous']);
    const begins = report.entries === 0;
    if (!begins && previous === beforeLast && previous !== report.hash) throw new Broken('inserted', report.last, 'the next entry does not follow it, but the one before it');
    if (sequence > expected) throw new Broken('removed', expected, `the next entry is ${sequence}`);
    if (sequence < expected || Number.isNaN(sequence)) throw new Broken('inserted', sequence, `entry ${expected} should be in its place`);
    if (content['workspace'] !== workspace) throw new Broken('inserted', sequence, 'it belongs to another workspace');
    if ((await sha256(canonical(content))) !== hash) throw new Broken('changed', sequence, 'what it says does not match its hash');
    if (previous !== report.hash && !(begins && sequence > 1)) throw new Broken('changed', sequence, 'it does not follow the entry before it');
    covered(sequence - 1, content['seal'], begins);
    await personal(sequence, (content['personal'] ?? {}) as Record<string, Commitment>, values);
    if (trust.head?.sequence === sequence && trust.head.hash !== hash) throw new Broken('changed', sequence, `its hash was ${trust.head.hash} before`);
    if (content['action'] === ERASED) gone.delete(text(content['subject']));
    beforeLast = report.hash;
    report.hash = hash;
    report.last = sequence;
    report.entries += 1;
  }

  /** An entry says which signature is under the one before it: none can be taken away or put there later. */
  function covered(before: number, found: unknown, begins: boolean) {
    const expected = sealed;
    sealed = null;
    if (expected === null && found !== undefined && !(begins && before > 0)) throw new Broken('removed', before, 'its signature is gone, which the entry after it covers');
    if (expected !== null && found === undefined) throw new Broken('inserted', before, 'its signature is not covered by the entry after it');
    if (expected !== null && found !== expected) throw new Broken('changed', before, 'its signature is not the one that the entry after it covers');
  }

  /** Personal values are what they were, or erased. */
  async function personal(sequence: number, commitments: Record<string, Commitment>, values: Extract<Line, { type: 'entry' }>['values']) {
    const extra = Object.keys(values).find((part) => !Object.hasOwn(commitments, part));
    if (extra !== undefined) throw new Broken('inserted', sequence, `it has a personal value “${extra}” that it did not have`);
    for (const [part, { of, sha256: promised }] of Object.entries(commitments)) {
      const value = Object.hasOwn(values, part) ? values[part] : undefined;
      if (value) {
        // oxlint-disable-next-line no-await-in-loop -- the first that is wrong is the one to tell
        const found = await sha256(fromHex(value.salt), canonical(value.value));
        if (value.of !== of || found !== promised) throw new Broken('changed', sequence, `its personal value “${part}” does not match its commitment`);
      } else if (of === undefined) {
        throw new Broken('removed', sequence, `its value “${part}” is gone, which is nobody's and cannot be erased`);
      } else {
        report.erased += 1;
        if (!gone.has(of)) gone.set(of, { sequence, part });
      }
    }
  }

  async function signature(line: Extract<Line, { type: 'signature' }>) {
    const { sequence } = line;
    const good = await isSigned(line);
    if (good === null) report.signaturesChecked = false;
    if (good === false || line.workspace !== workspace) throw new Broken('forged', sequence, `its signature of ${line.at} is not good`);
    if (trust.key !== undefined && trust.key !== line.key) throw new Broken('forged', sequence, `its signature was made by the key ${line.key}, which is not trusted`);
    if (sequence > report.last) throw new Broken('removed', report.last + 1, `entry ${sequence} is signed, but is not there`);
    if (sequence < report.last) throw new Broken('inserted', sequence, 'its signature stands in the wrong place');
    if (line.hash !== report.hash) throw new Broken('changed', sequence, `it had another hash when it was signed: look at the entries ${report.signed + 1} to ${sequence}`);
    if (line.interval !== undefined) sealed = await seal(line);
    report.signed = sequence;
    report.signatures += 1;
    if (!report.keys.includes(line.key)) report.keys.push(line.key);
  }

  function end(line: Extract<Line, { type: 'end' }>) {
    ended = true;
    if (line.sequence > report.last) throw new Broken('removed', report.last + 1, `the log ended with entry ${line.sequence}`);
    if (line.sequence < report.last) throw new Broken('inserted', line.sequence + 1, `the log ended with entry ${line.sequence}`);
    if (report.entries > 0 && line.hash !== report.hash) throw new Broken('changed', line.sequence, `the log ended with the hash ${line.hash}`);
    report.complete = line.complete;
  }

  return {
    progress: () => report.last,

    async take(line: Line): Promise<void> {
      if (line.type === 'head') {
        if (workspace !== null) throw new Broken('inserted', report.last + 1, 'another log begins in the middle of this one');
        workspace = line.workspace;
        Object.assign(report, { first: line.first, last: line.first - 1, hash: line.first === 1 ? BEGINNING : '' });
        return;
      }
      if (workspace === null) throw new Broken('removed', 1, 'the log has no beginning');
      if (ended) throw new Broken('inserted', report.last + 1, 'there is more after the log’s end');
      if (line.type === 'entry') await entry(line);
      else if (line.type === 'signature') await signature(line);
      else if (line.type === 'unreadable') throw new Broken('made unreadable', line.sequence, line.reason);
      else end(line);
    },

    /** What was found, once there is no more. */
    finish(): Report {
      if (!ended) throw new Broken('removed', report.last + 1, 'the log breaks off here');
      if (trust.head && trust.head.sequence > report.last) throw new Broken('removed', report.last + 1, `it was there when the head was ${trust.head.sequence}:${trust.head.hash}`);
      const [lost] = report.first === 1 && report.complete ? [...gone].toSorted(([, a], [, b]) => a.sequence - b.sequence) : [];
      if (lost) throw new Broken('removed', lost[1].sequence, `its personal value “${lost[1].part}” is gone, and nothing says that ${lost[0]} was erased`);
      return report;
    },
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
