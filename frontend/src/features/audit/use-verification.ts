import { useRef, useState } from 'react';
import { fetchFile } from '../../lib/download';
import { linesOf, parseLine } from './model/lines';
import { readHead, rememberHead } from './model/remembered';
import { Broken, createVerifier, type Report } from './model/verify';

export type Outcome =
  | { kind: 'sound'; report: Report; since: number | null }
  | { kind: 'broken'; broken: Broken }
  | { kind: 'failed'; error: unknown }
  | null;

/** How often the page hears how far it is. */
const EVERY = 200;

/** Reads the whole log from the server and checks it here, against what this browser saw the last time. */
export function useVerification(workspaceId: string | null) {
  const running = useRef<AbortController | null>(null);
  const [done, setDone] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<Outcome>(null);

  async function start(): Promise<void> {
    const abort = new AbortController();
    running.current = abort;
    setOutcome(null);
    setDone(0);
    try {
      const head = workspaceId === null ? undefined : readHead(workspaceId);
      const report = await verify(abort.signal, head, setDone);
      if (workspaceId !== null) rememberHead(workspaceId, { sequence: report.last, hash: report.hash });
      setOutcome({ kind: 'sound', report, since: head?.sequence ?? null });
    } catch (error) {
      if (abort.signal.aborted) setOutcome(null);
      else setOutcome(error instanceof Broken ? { kind: 'broken', broken: error } : { kind: 'failed', error });
    } finally {
      setDone(null);
    }
  }

  return { done, outcome, start, cancel: () => running.current?.abort() };
}

async function verify(signal: AbortSignal, head: { sequence: number; hash: string } | undefined, onProgress: (done: number) => void): Promise<Report> {
  const response = await fetchFile('/audit.jsonl', signal);
  const verifier = createVerifier({ head });
  if (!response.body) throw new Error('the answer has no body');
  for await (const line of linesOf(response.body)) {
    await verifier.take(parseLine(line));
    if (verifier.progress() % EVERY === 0) onProgress(verifier.progress());
  }
  return verifier.finish();
}
