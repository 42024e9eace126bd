const SHORTEST = 10;

/** What keeps a new password from being sent, and beside which field to say so. The server has the last word. */
export function passwordProblem(next: string, again: string): { field: 'next' | 'again'; message: string } | null {
  if ([...next].length < SHORTEST) return { field: 'next', message: `Use at least ${SHORTEST} characters.` };
  if (next !== again) return { field: 'again', message: 'The two are not the same.' };
  return null;
}
