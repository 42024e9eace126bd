import { expect, test } from 'vitest';
import { diffLines, unifiedLines } from './text-diff';

const brief = (lines: ReturnType<typeof diffLines>) => lines.map(({ kind, before, after, text }) => `${before ?? ''}|${after ?? ''}|${kind}|${text}`);

test('changed lines with their numbers on both sides', () => {
  expect(brief(diffLines('a\nb\nc\n', 'a\nB\nc\nd\n'))).toEqual(['1|1|same|a', '2||removed|b', '|2|added|B', '3|3|same|c', '|4|added|d']);
});

test('what is far from any change is left out', () => {
  const text = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const lines = diffLines(text.join('\n'), text.with(2, 'x').with(30, 'y').join('\n'));
  expect(lines.filter(({ kind }) => kind === 'gap')).toHaveLength(1);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
});

test('the same twice is no difference', () => {
  expect(diffLines('a', 'a')).toEqual([]);
});

test('a unified diff of the server', () => {
  const unified = '--- a\n+++ b\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n\\ No newline at end of file\n';
  expect(brief(unifiedLines(unified))).toEqual(['1|1|same|same', '2||removed|old', '|2|added|new']);
});

test('a diff of several files names each', () => {
  const one = (name: string) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-old\n+new\n`;
  const lines = unifiedLines(one('x.rs') + one('y.rs'));
  expect(brief(lines)).toEqual(['||gap|b/x.rs', '1||removed|old', '|1|added|new', '||gap|b/y.rs', '1||removed|old', '|1|added|new']);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
});

test('what is no diff is shown as it is', () => {
  expect(brief(unifiedLines('--- a\n+++ b\n@@ -1,9 +1,9 @@\nnonsense'))).toContain('4|4|same|nonsense');
});
