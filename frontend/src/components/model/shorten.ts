const LONGEST = 4_000;

/** Pretty JSON with its longest lines cut: an editor that lays out lines cannot lay out one of five megabytes. */
export function shorten(text: string, longest = LONGEST): { text: string; cut: number } {
  // Most values have no such line, and need no second copy.
  if (!hasLongLine(text, longest)) return { text, cut: 0 };
  let cut = 0;
  const lines = text.split('\n').map((line) => {
    if (line.length <= longest) return line;
    cut += 1;
    const end = line.endsWith(',') ? ',' : '';
    return `${line.slice(0, longest)}… (${line.length - longest} more)"${end}`;
  });
  return { text: lines.join('\n'), cut };
}

function hasLongLine(text: string, longest: number): boolean {
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    if (end - start > longest) return true;
    start = end + 1;
  }
  return text.length - start > longest;
}
