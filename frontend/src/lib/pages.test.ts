import { gql, type TypedDocumentNode } from '@urql/core';
import { expect, test, vi } from 'vitest';
import { fakeClient } from '../testing/fake-client';
import { createPages, type ConnectionData } from './pages';

interface Row {
  id: string;
  status: string;
}
interface Data {
  executions: ConnectionData<Row>;
}

const LIST: TypedDocumentNode<Data, Record<string, unknown>> = gql(
  'query List($after: String) { executions(first: 2, after: $after) { nodes { id status } pageInfo { hasNextPage endCursor } totalCount } }',
);

/** A server with a list that a test can change; a row's id is its cursor. */
function setUp(ids: string[]) {
  const server = { ids, status: 'RUNNING', failing: false, requests: 0 };
  const client = fakeClient(({ variables }) => {
    server.requests += 1;
    if (server.failing) throw new Error('gone');
    const start = variables?.['after'] ? server.ids.indexOf(String(variables['after'])) + 1 : 0;
    const page = server.ids.slice(start, start + 2);
    const nodes = page.map((id) => ({ __typename: 'Execution', id, status: server.status }));
    const pageInfo = { __typename: 'PageInfo', hasNextPage: start + 2 < server.ids.length, endCursor: page.at(-1) ?? null };
    return { data: { __typename: 'Query', executions: { __typename: 'ExecutionConnection', nodes, pageInfo, totalCount: server.ids.length } } };
  });
  const pages = createPages<Data, Row>({ client, document: LIST, variables: {}, select: (data) => data.executions });
  const rows = () => pages.state().rows.map(({ id }) => id);
  return { server, client, pages, rows };
}

async function readAll(pages: ReturnType<typeof setUp>['pages']): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
  while (pages.state().hasMore) await pages.loadMore();
}

test('page after page, until there are no more', async () => {
  const { pages, rows } = setUp(['a', 'b', 'c', 'd', 'e']);
  expect(pages.state().status).toBe('loading');
  await pages.refresh();
  expect(rows()).toEqual(['a', 'b']);
  expect(pages.state()).toMatchObject({ status: 'ready', totalCount: 5, hasMore: true });
  await pages.loadMore();
  await pages.loadMore();
  expect(rows()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(pages.state().hasMore).toBe(false);
  await pages.loadMore();
  expect(rows()).toHaveLength(5);
});

test('a refresh finds new rows and loses those that are gone, over all pages that are shown', async () => {
  const { server, pages, rows } = setUp(['a', 'b', 'c', 'd', 'e', 'f']);
  await pages.refresh();
  await pages.loadMore();
  server.ids = ['new', 'a', 'c', 'd', 'e', 'f'];
  await pages.refresh();
  expect(rows()).toEqual(['new', 'a', 'c', 'd']);
});

test('an event about one row changes that row', async () => {
  const { server, client, pages } = setUp(['a', 'b']);
  await pages.refresh();
  server.status = 'COMPLETED';
  // Anything that tells of the same object will do; a stream ends up in the cache the same way.
  await client.query(LIST, { after: 'a' }, { requestPolicy: 'network-only' }).toPromise();
  await vi.waitFor(() => expect(pages.state().rows.map(({ status }) => status)).toEqual(['RUNNING', 'COMPLETED']));
});

test('a failure is told, keeps what is there, and can be tried again', async () => {
  const { server, pages, rows } = setUp(['a', 'b', 'c']);
  server.failing = true;
  await pages.refresh();
  expect(pages.state()).toMatchObject({ status: 'failed', error: { code: 'UNREACHABLE' } });
  server.failing = false;
  await pages.refresh();
  expect(rows()).toEqual(['a', 'b']);
  server.failing = true;
  await pages.loadMore();
  expect(pages.state()).toMatchObject({ status: 'ready', error: { code: 'UNREACHABLE' } });
  expect(rows()).toEqual(['a', 'b']);
});

test('a burst of refreshes is two', async () => {
  const { server, pages } = setUp(['a', 'b']);
  await Promise.all([pages.refresh(), pages.refresh(), pages.refresh(), pages.refresh()]);
  expect(server.requests).toBe(2);
});

test('news at the head of a long list cost no more than the news', async () => {
  const letters = [...'abcdefghijkl'];
  const { server, pages, rows } = setUp(letters);
  await pages.refresh();
  for (let more = 0; more < 5; more += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    await pages.loadMore();
  }
  expect(rows()).toEqual(letters);
  server.requests = 0;
  server.ids = ['1', ...letters];
  await pages.refreshHead();
  expect(rows()).toEqual(['1', ...letters]);
  expect(server.requests).toBe(2);
  server.ids = ['5', '4', '3', '2', '1', ...letters];
  await pages.refreshHead();
  expect(rows()).toEqual(['5', '4', '3', '2', '1', ...letters]);
  expect(server.requests).toBe(6);
  expect(pages.state().totalCount).toBe(17);
});

test('a short list is read anew instead', async () => {
  const { server, pages, rows } = setUp(['a', 'b', 'c']);
  await pages.refresh();
  await pages.loadMore();
  server.ids = ['new', 'b', 'c'];
  await pages.refreshHead();
  expect(rows()).toEqual(['new', 'b', 'c']);
});

test('another page is one change of the list, however many pages show the same workflow', async () => {
  const document: TypedDocumentNode<Data, Record<string, unknown>> = gql(
    'query Long($after: String) { executions(first: 1, after: $after) { nodes { id status workflow { id name } } pageInfo { hasNextPage endCursor } totalCount } }',
  );
  const client = fakeClient(({ variables }) => {
    const number = Number(variables?.['after'] ?? 0);
    const workflow = { __typename: 'Workflow', id: 'w', name: 'The same' };
    const nodes = [{ __typename: 'Execution', id: `e${number}`, status: 'RUNNING', workflow }];
    const pageInfo = { __typename: 'PageInfo', hasNextPage: true, endCursor: String(number + 1) };
    return { data: { __typename: 'Query', executions: { __typename: 'ExecutionConnection', nodes, pageInfo, totalCount: 100 } } };
  });
  const pages = createPages<Data, Row>({ client, document, variables: {}, select: (data) => data.executions });
  await pages.refresh();
  for (let page = 0; page < 10; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ends
    await pages.loadMore();
  }
  const changed = vi.fn();
  pages.subscribe(changed);
  await pages.loadMore();
  expect(pages.state().rows).toHaveLength(12);
  // That it is being read, and that it is there.
  expect(changed).toHaveBeenCalledTimes(2);
});

test('far from what is in sight nothing is read again, and one sees what happened meanwhile when one comes there', async () => {
  const { server, client, pages } = setUp(Array.from({ length: 200 }, (_, index) => `row ${index}`));
  await pages.refresh();
  await readAll(pages);
  const statusOf = (index: number) => pages.state().rows[index]?.status;
  pages.watch(0, 10);

  const listener = vi.fn();
  pages.subscribe(listener);
  server.status = 'FAILED';
  // The last page of the list is told of by another query, as an event would.
  await client.query(LIST, { after: 'row 197' }, { requestPolicy: 'network-only' }).toPromise();
  expect(listener).not.toHaveBeenCalled();
  expect(statusOf(199)).toBe('RUNNING');

  pages.watch(180, 190);
  expect(statusOf(199)).toBe('FAILED');
  const { requests } = server;
  pages.watch(0, 10);
  expect(statusOf(0)).toBe('RUNNING');
  expect(server.requests).toBe(requests);
});

test('a row that changes in sight is told of at once', async () => {
  const { server, client, pages } = setUp(Array.from({ length: 200 }, (_, index) => `row ${index}`));
  await pages.refresh();
  await readAll(pages);
  pages.watch(190, 199);
  server.status = 'FAILED';
  await client.query(LIST, { after: 'row 197' }, { requestPolicy: 'network-only' }).toPromise();
  expect(pages.state().rows[199]?.status).toBe('FAILED');
});

test('rows that are shown in another order are told of wherever they stand, and those in between are not', async () => {
  const { server, client, pages } = setUp(Array.from({ length: 400 }, (_, index) => `row ${index}`));
  await pages.refresh();
  await readAll(pages);
  pages.watchRows([2, 399]);
  server.status = 'FAILED';
  await client.query(LIST, { after: 'row 397' }, { requestPolicy: 'network-only' }).toPromise();
  expect(pages.state().rows[399]?.status).toBe('FAILED');
  await client.query(LIST, { after: 'row 199' }, { requestPolicy: 'network-only' }).toPromise();
  expect(pages.state().rows[200]?.status).toBe('RUNNING');
});

test('the rows are the same array while only the reading of more begins and ends', async () => {
  const { pages } = setUp(Array.from({ length: 6 }, (_, index) => `row ${index}`));
  await pages.refresh();
  const { rows } = pages.state();
  const more = pages.loadMore();
  expect(pages.state()).toMatchObject({ fetching: true });
  expect(pages.state().rows).toBe(rows);
  await more;
  expect(pages.state().rows).not.toBe(rows);
});
