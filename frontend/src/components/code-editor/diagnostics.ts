import { isMap, isPair, isScalar, LineCounter, parseDocument, type ParsedNode } from 'yaml';

export interface Diagnostic {
  /** From 1, as people and the API count. */
  line: number;
  column?: number;
  message: string;
  severity?: 'error' | 'warning' | 'info';
}

/** A JSON pointer's parts: `/steps/0/key` becomes `['steps', '0', 'key']`. */
export function pointerParts(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Where in a YAML or JSON text the value at a path begins; what is not there is shown at what would contain it. */
export function positionOf(text: string, path: readonly (string | number)[]): { line: number; column: number } {
  const lines = new LineCounter();
  // Every JSON text is a YAML text.
  const document = parseDocument(text, { lineCounter: lines, keepSourceTokens: false, logLevel: 'silent' });
  for (let length = path.length; length >= 0; length -= 1) {
    const offset = offsetOf(document.contents, path.slice(0, length));
    if (offset !== null) {
      const { line, col } = lines.linePos(offset);
      return { line, column: col };
    }
  }
  return { line: 1, column: 1 };
}

function offsetOf(root: ParsedNode | null, path: readonly (string | number)[]): number | null {
  let node: unknown = root;
  let offset = root?.range[0] ?? null;
  for (const part of path) {
    const next = childOf(node, part);
    if (next === null) return null;
    ({ node, offset } = next);
  }
  return offset;
}

function childOf(node: unknown, part: string | number): { node: unknown; offset: number } | null {
  if (typeof node !== 'object' || node === null || !('items' in node) || !Array.isArray(node.items)) return null;
  if (!isMap(node)) {
    const item: unknown = node.items[Number(part)];
    return hasRange(item) ? { node: item, offset: item.range[0] } : null;
  }
  // A field is shown at its name: that is where one looks for it.
  const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(part));
  return pair && hasRange(pair.key) ? { node: pair.value, offset: pair.key.range[0] } : null;
}

function hasRange(node: unknown): node is { range: [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
