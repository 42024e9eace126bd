import type { Client, CombinedError, TypedDocumentNode } from '@urql/core';
import { pipe, subscribe } from 'wonka';
import type { ApiError } from './errors';
import { toApiError } from './send-exchange';

/*
 * A Relay connection, read page by page and kept live: every page is a query of its own that the cache keeps up to date, so an
 * event that tells of one row changes that row. What events cannot do is to put rows in or take them out; `refresh` does.
 *
 * The cache reads a page again whenever anything that it shares with others is told of, such as a workflow's name, so a hundred
 * pages would be read for every event and for every further page. A list that says which rows are in sight (`watch`) has only
 * the pages around these kept up to date; the others are read from the cache when one comes near them.
 */

export interface ConnectionData<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
  readonly totalCount?: number;
}

export interface PagesState<Row> {
  rows: readonly Row[];
  totalCount: number | null;
  status: 'loading' | 'ready' | 'failed';
  error: ApiError | null;
  hasMore: boolean;
  /** A further page or a refresh is under way; what is there stays to be seen. */
  fetching: boolean;
}

interface Page<Row> {
  after: string | null;
  /** News before the pages that were read one after the other; the next look replaces it. */
  news: boolean;
  data: ConnectionData<Row> | null;
  /** Whether the cache keeps it up to date. */
  live: boolean;
  stop: () => void;
}

/** Rows from one place to another. */
interface Span {
  first: number;
  last: number;
}

interface PagesOptions<Data, Row> {
  client: Pick<Client, 'query'>;
  document: TypedDocumentNode<Data, Record<string, unknown>>;
  variables: Record<string, unknown>;
  select: (data: Data) => ConnectionData<Row>;
}

/** So many pages are read anew as a whole. */
const FEW_PAGES = 3;
/** So many rows before and behind those in sight are kept up to date as well. */
const NEAR_ROWS = 50;

export function createPages<Data, Row extends { readonly id: string }>({ client, document, variables, select }: PagesOptions<Data, Row>) {
  let pages: Page<Row>[] = [];
  let fetching = 0;
  let error: ApiError | null = null;
  let again = false;
  let active = false;
  let lookingAtHead = false;
  let lookAgain = false;
  let sight: readonly Span[] = [];
  let whole: { of: readonly ConnectionData<Row>[]; rows: readonly Row[] } = { of: [], rows: [] };
  const listeners = new Set<() => void>();
  let state = derive();

  function derive(): PagesState<Row> {
    const loaded = pages.flatMap(({ data }) => (data ? [data] : []));
    const last = loaded.at(-1);
    const status = last ? 'ready' : error ? 'failed' : 'loading';
    return {
      rows: rowsOf(loaded),
      totalCount: loaded[0]?.totalCount ?? null,
      status,
      error,
      hasMore: last?.pageInfo.hasNextPage ?? false,
      fetching: fetching > 0,
    };
  }

  /** The same array while nothing in it changes: who shows ten thousand rows need not look at each because a page is asked for. */
  function rowsOf(loaded: readonly ConnectionData<Row>[]): readonly Row[] {
    const same = loaded.length === whole.of.length && loaded.every((data, index) => data === whole.of[index]);
    // Rows move between pages while these are read one after the other; each is shown once.
    if (!same) whole = { of: loaded, rows: [...new Map(loaded.flatMap(({ nodes }) => nodes.map((row) => [row.id, row]))).values()] };
    return whole.rows;
  }

  function changed() {
    listenNearby();
    state = derive();
    for (const listener of listeners) listener();
  }

  /** Asks for a page, and hears of it until `stop`. */
  function listen(page: Page<Row>, requestPolicy: 'network-only' | 'cache-only', onAnswer: (failure: CombinedError | undefined, stale: boolean) => void) {
    let answer: Data | undefined;
    const { unsubscribe } = pipe(
      client.query(document, { ...variables, after: page.after }, { requestPolicy }),
      subscribe(({ data, error: failure, stale }) => {
        // The cache tells each page again whenever another one comes, with the very same answer: that is no news.
        const news = data !== answer;
        answer = data;
        if (data && news) page.data = select(data);
        onAnswer(failure, stale);
        if (news && page.live && pages.includes(page)) changed();
      }),
    );
    page.live = true;
    page.stop = () => {
      page.live = false;
      unsubscribe();
    };
  }

  /** Reads one page and keeps on listening to it; resolves with the server's first answer. */
  function read(after: string | null): Promise<Page<Row>> {
    fetching += 1;
    return new Promise((resolve) => {
      const page: Page<Row> = { after, news: false, data: null, live: false, stop: () => {} };
      let settled = false;
      listen(page, 'network-only', (failure, stale) => {
        if (settled || stale) return;
        settled = true;
        fetching -= 1;
        error = failure ? toApiError(failure) : null;
        resolve(page);
      });
    });
  }

  /** Says which rows are in sight. */
  function watch(first: number, last: number) {
    look([{ first, last }]);
  }

  /** The same for a list that shows the rows in another order than the pages do. */
  function watchRows(places: readonly number[]) {
    look(places.map((place) => ({ first: place, last: place })));
  }

  function look(spans: readonly Span[]) {
    sight = spans;
    if (listenNearby()) changed();
  }

  /** Listens to the pages around what is in sight and to no others; tells whether one of them has changed since it was left. */
  function listenNearby(): boolean {
    if (sight.length === 0 || !active) return false;
    let [start, news] = [0, false];
    for (const page of pages) {
      const end = start + (page.data?.nodes.length ?? 0);
      const near = isNear(start, end);
      if (!near && page.live) page.stop();
      if (near && !page.live) {
        const before = page.data;
        listen(page, 'cache-only', () => {});
        news ||= page.data !== before;
      }
      start = end;
    }
    return news;
  }

  function isNear(start: number, end: number): boolean {
    return sight.some(({ first, last }) => start <= last + NEAR_ROWS && end >= first - NEAR_ROWS);
  }

  async function loadMore(): Promise<void> {
    const last = pages.at(-1);
    if (fetching > 0 || (last && !last.data?.pageInfo.hasNextPage)) return;
    const reading = read(last?.data?.pageInfo.endCursor ?? null);
    changed();
    const page = await reading;
    if (page.data) pages = [...pages, page];
    else page.stop();
    changed();
    if (again) void refresh();
  }

  /** Reads as many pages again as are shown, from the start. Calls during a refresh lead to one more after it. */
  async function refresh(): Promise<void> {
    active = true;
    if (fetching > 0) {
      again = true;
      return;
    }
    const fresh: Page<Row>[] = [];
    do {
      again = false;
      const before = pages;
      fresh.length = 0;
      for (let index = 0; index < Math.max(before.length, 1); index += 1) {
        const previous = fresh.at(-1)?.data?.pageInfo;
        if (previous && !previous.hasNextPage) break;
        // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
        const page = await read(previous?.endCursor ?? null);
        if (!page.data) break;
        fresh.push(page);
      }
      if (fresh.length === 0) break;
      pages = [...fresh];
      for (const page of before) page.stop();
      // What was asked for meanwhile is read in another round.
    } while (again);
    if (!active) stop();
    changed();
  }

  /**
   * Reads what is new at the start of a list in which rows are only ever added there. However long the list is by now, it costs no
   * more than its news; a short one is read anew.
   */
  async function refreshHead(): Promise<void> {
    if (pages.length <= FEW_PAGES) return refresh();
    if (lookingAtHead) {
      lookAgain = true;
      return;
    }
    lookingAtHead = true;
    do {
      lookAgain = false;
      // oxlint-disable-next-line no-await-in-loop -- what was asked for meanwhile is another look
      await readHead();
    } while (lookAgain);
    lookingAtHead = false;
    if (!active) stop();
    else if (again) void refresh();
    changed();
  }

  async function readHead(): Promise<void> {
    // The first page is the same query at every look: whatever showed it before shows the new one now, so it is nothing to join.
    const stays = ({ news, after }: Page<Row>) => !news && after !== null;
    const known = new Set(pages.filter(stays).flatMap(({ data }) => data?.nodes.map(({ id }) => id) ?? []));
    const fresh: Page<Row>[] = [];
    let joined = false;
    while (!joined) {
      // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
      const page = await read(fresh.at(-1)?.data?.pageInfo.endCursor ?? null);
      if (!page.data) {
        for (const one of fresh) one.stop();
        return;
      }
      fresh.push(page);
      joined = !page.data.pageInfo.hasNextPage || page.data.nodes.some(({ id }) => known.has(id));
    }
    for (const page of fresh) page.news = fresh.length <= FEW_PAGES;
    for (const page of pages) if (!stays(page)) page.stop();
    pages = [...fresh, ...pages.filter(stays)];
  }

  function stop() {
    active = false;
    for (const page of pages) page.stop();
  }

  return {
    state: () => state,
    loadMore,
    refresh,
    refreshHead,
    watch,
    watchRows,
    stop,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
