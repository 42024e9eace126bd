/** Which version the address asks for; null for the newest. */
export function parseVersion(params: URLSearchParams): { version: number | null; compare: number | null } {
  return { version: whole(params.get('version')), compare: whole(params.get('compare')) };
}

function whole(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** A comparison reads from the older to the newer, whichever was chosen first. */
export function inOrder(one: number, other: number): { from: number; to: number } {
  return { from: Math.min(one, other), to: Math.max(one, other) };
}
