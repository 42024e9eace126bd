import { readFileSync } from 'node:fs';
import { preview } from 'vite';

/*
 * Where the console of this working copy is. The server serves the one that it was built with, and that is what is tested when
 * it is the same; otherwise (a server from another folder, or an older build) Vite serves dist/ under the server's own
 * Content-Security-Policy and hands everything else on.
 */

export interface ConsoleSite {
  url: string;
  close: () => Promise<void>;
}

export async function openConsole(serverUrl: string): Promise<ConsoleSite> {
  if (process.env['CONSOLE_URL'] !== undefined) return { url: process.env['CONSOLE_URL'], close: async () => {} };
  if (await servesThisBuild(serverUrl)) return { url: serverUrl, close: async () => {} };
  process.env['API_URL'] = serverUrl;
  const site = await preview({
    logLevel: 'error',
    preview: { port: 0, host: '127.0.0.1', headers: { 'content-security-policy': policy() } },
  });
  const address = site.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('the preview has no port');
  return { url: `http://127.0.0.1:${address.port}`, close: () => site.close() };
}

async function servesThisBuild(serverUrl: string): Promise<boolean> {
  const response = await fetch(`${serverUrl}/inbox`, { headers: { accept: 'text/html' } });
  return response.ok && (await response.text()) === readFileSync('dist/index.html', 'utf8');
}

/** Read from the server's source, so that the two cannot differ. */
export function policy(): string {
  const source = readFileSync('../src/http/assets.rs', 'utf8');
  const text = /const CONTENT_SECURITY_POLICY: &str = "([^"]+)"/.exec(source)?.[1];
  if (text === undefined) throw new Error('assets.rs has no CONTENT_SECURITY_POLICY');
  return text.replace(/\\\n\s*/g, '');
}
