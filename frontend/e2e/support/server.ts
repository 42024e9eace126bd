import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const BINARY = resolve(process.env['COUNTERSIGN_BIN'] ?? '../target/debug/countersign');
// The server takes every variable with its prefix for a setting, and would refuse those that are for tests.
const ENVIRONMENT = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_')));

/** The real server with a database of its own, on a port that stays the same when it is started again. */
export class CountersignServer {
  readonly url: string;
  /** The one-time link that the first start prints. */
  firstLink: string | null = null;
  readonly #dataDir: string;
  readonly #port: number;
  #process: ChildProcess | null = null;

  private constructor(dataDir: string, port: number) {
    this.#dataDir = dataDir;
    this.#port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async create(): Promise<CountersignServer> {
    const server = new CountersignServer(await mkdtemp(join(tmpdir(), 'countersign-e2e-')), await freePort());
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const settings = ['--listen', `127.0.0.1:${this.#port}`, '--sign-in-attempts', '10000', '--log', 'warn'];
    const child = spawn(BINARY, ['serve', '--data-dir', this.#dataDir, ...settings], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: ENVIRONMENT,
    });
    this.#process = child;
    const failed = once(child, 'exit').then(([code]) => {
      throw new Error(`${BINARY} ended with ${String(code)} before it listened`);
    });
    await Promise.race([this.#announced(child), failed]);
    failed.catch(() => {});
  }

  async #announced(child: ChildProcess): Promise<void> {
    if (!child.stdout) throw new Error('the server has no output');
    const lines = createInterface({ input: child.stdout });
    await new Promise<void>((announced) => {
      lines.on('line', (line) => {
        this.firstLink ??= /Sign in \(once.*?\): (\S+)/.exec(line)?.[1] ?? null;
        if (/Sign in/.test(line)) announced();
      });
    });
  }

  /** Runs another command of the binary on the same data, and returns what it printed. */
  async cli(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(BINARY, [...args, '--data-dir', this.#dataDir, '--log', 'warn'], {
      env: ENVIRONMENT,
    });
    return stdout.trim();
  }

  /** SIGKILL is a crash, SIGTERM an orderly stop. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null) return;
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }

  /** Lets nothing be answered until `resume`; requests wait. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async destroy(): Promise<void> {
    await this.stop('SIGKILL');
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
