/*
 * Where the chain ended when this browser last found it sound. That the newest entries were cut off can be seen by nobody who does
 * not remember that there were any.
 */

const key = (workspaceId: string) => `countersign.audit-head.${workspaceId}`;

export function readHead(workspaceId: string): { sequence: number; hash: string } | undefined {
  const [, sequence, hash] = /^(\d+):([\da-f]{64})$/.exec(read(key(workspaceId)) ?? '') ?? [];
  return sequence === undefined || hash === undefined ? undefined : { sequence: Number(sequence), hash };
}

export function rememberHead(workspaceId: string, { sequence, hash }: { sequence: number; hash: string }): void {
  try {
    localStorage.setItem(key(workspaceId), `${sequence}:${hash}`);
  } catch {
    // A browser that keeps nothing checks each time anew.
  }
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
