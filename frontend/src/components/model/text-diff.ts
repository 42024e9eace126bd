import { parsePatch, structuredPatch, type StructuredPatch, type StructuredPatchHunk } from 'diff';

export interface DiffLine {
  key: string;
  kind: 'same' | 'added' | 'removed' | 'gap';
  /** The line's number on each side, where it has one. */
  before: number | null;
  after: number | null;
  text: string;
}

/** The lines that changed, with three around them. */
export function diffLines(before: string, after: string): DiffLine[] {
  return linesOf(structuredPatch('', '', before, after, '', '', { context: 3 })?.hunks ?? []);
}

/** The lines of a unified diff; a text that is none shows as it is. */
export function unifiedLines(unified: string): DiffLine[] {
  const patches = patchesOf(unified).filter(({ hunks }) => hunks.length > 0);
  if (patches.length === 1) return linesOf(patches[0]?.hunks ?? []);
  if (patches.length > 1) {
    return patches.flatMap(({ oldFileName, newFileName, hunks }, index): DiffLine[] => [
      { key: `file ${index}`, kind: 'gap', before: null, after: null, text: newFileName === '/dev/null' ? (oldFileName ?? '') : (newFileName ?? '') },
      ...linesOf(hunks).map((line) => ({ ...line, key: `${index} ${line.key}` })),
    ]);
  }
  return unified.split('\n').map((text, index) => ({ key: `${index}`, kind: 'same', before: index + 1, after: index + 1, text }));
}

/** What agents call a diff need not be one. */
function patchesOf(unified: string): StructuredPatch[] {
  try {
    return parsePatch(unified);
  } catch {
    return [];
  }
}

function linesOf(hunks: readonly StructuredPatchHunk[]): DiffLine[] {
  return hunks.flatMap((hunk, index) => {
    const gap: DiffLine[] = index === 0 ? [] : [{ key: `gap ${index}`, kind: 'gap', before: null, after: null, text: '' }];
    return [...gap, ...linesOfHunk(hunk)];
  });
}

function linesOfHunk({ oldStart, newStart, lines }: StructuredPatchHunk): DiffLine[] {
  let before = oldStart;
  let after = newStart;
  return lines
    .filter((line) => !line.startsWith('\\'))
    .map((line): DiffLine => {
      const text = line.slice(1);
      const key = `${before} ${after} ${line[0]}`;
      if (line.startsWith('+')) return { key, kind: 'added', before: null, after: after++, text };
      if (line.startsWith('-')) return { key, kind: 'removed', before: before++, after: null, text };
      return { key, kind: 'same', before: before++, after: after++, text };
    });
}
