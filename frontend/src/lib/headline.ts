/** Longer than this, nobody reads a headline. */
const LONGEST = 160;

/**
 * The headline of a proposal, which may be described by a whole page: its first line, of that the sentences that fit, or else the
 * words. `whole` is all of it, if the headline is not.
 */
export function headlineOf(description: string): { headline: string; whole: string | null } {
  const text = description.trim();
  const [line = ''] = text.split('\n', 1);
  if (line.length <= LONGEST) return { headline: line, whole: line === text ? null : text };
  const start = [...line].slice(0, LONGEST).join('');
  const sentences = /^.+[.!?](?=\s)/u.exec(start)?.[0];
  const words = /^.+(?=\s)/u.exec(start)?.[0];
  return { headline: sentences ?? `${words ?? start}…`, whole: text };
}
