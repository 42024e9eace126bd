export interface HistoryPage<Event> {
  readonly nodes: readonly Event[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/** Reads page after page to the end and hands each on; resolves with the last cursor, from which the stream goes on. */
export async function readHistory<Event>(
  read: (after: string | null) => Promise<HistoryPage<Event>>,
  add: (events: readonly Event[]) => void,
  signal: AbortSignal,
): Promise<string | null> {
  let after: string | null = null;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
    const page: HistoryPage<Event> = await read(after);
    if (signal.aborted) return null;
    add(page.nodes);
    after = page.pageInfo.endCursor ?? after;
    if (!page.pageInfo.hasNextPage) return after;
  }
}
