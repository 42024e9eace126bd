// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { fakeClient } from '../testing/fake-client';
import { render } from '../testing/render';
import { AgentSelect } from './library-select';

/** 10,000 agents; the server tells of at most 50. A busy one searches until it is told to answer. */
function server({ busy = false } = {}) {
  let answer = () => {};
  const found = new Promise<void>((resolve) => (answer = resolve));
  const agents = Array.from({ length: 10_000 }, (_, index) => ({ __typename: 'Agent', id: `agt_${index}`, name: `Agent ${String(index).padStart(4, '0')}` }));
  const searches: unknown[] = [];
  const client = fakeClient(async ({ query, variables }) => {
    if (query.includes('node(')) return { data: { node: agents.find(({ id }) => id === variables?.['id']) ?? null } };
    const search = (variables?.['search'] ?? null) as string | null;
    searches.push(search);
    if (search !== null && busy) await found;
    const fitting = agents.filter(({ name }) => search === null || name.toLowerCase().includes(search.toLowerCase()));
    const pageInfo = { __typename: 'PageInfo', hasNextPage: fitting.length > 50 };
    return { data: { found: { __typename: 'AgentConnection', nodes: fitting.slice(0, 50), pageInfo } } };
  });
  return { client, searches, answer };
}

function Filter({ first, onChange }: { first: string | null; onChange: (id: string | null) => void }) {
  const [value, setValue] = useState(first);
  return <AgentSelect value={value} onChange={(id) => (setValue(id), onChange(id))} />;
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Agent' });

test('what the address says is chosen has its name, wherever in the list it is', async () => {
  const { client, searches } = server();
  render(<Filter first="agt_9876" onChange={() => {}} />, { client });
  await waitFor(() => expect(field().value).toBe('Agent 9876'));
  // Its name is shown, and nobody searched for it.
  await userEvent.click(field());
  await waitFor(() => expect(screen.getByText('Agent 0000')).toBeTruthy());
  expect(new Set(searches)).toEqual(new Set([null]));
});

test('any of 10,000 is found by a part of its name', async () => {
  const { client } = server();
  const onChange = vi.fn();
  render(<Filter first={null} onChange={onChange} />, { client });
  await userEvent.click(field());
  await waitFor(() => expect(screen.getByText('Agent 0000')).toBeTruthy());
  expect(screen.getByText(/There are more/)).toBeTruthy();
  await userEvent.type(field(), '9876');
  await userEvent.click(await screen.findByText('Agent 9876'));
  expect(onChange).toHaveBeenLastCalledWith('agt_9876');
  await waitFor(() => expect(field().value).toBe('Agent 9876'));
});

test('a search that finds nothing says so', async () => {
  const { client } = server();
  render(<Filter first={null} onChange={() => {}} />, { client });
  await userEvent.type(field(), 'nobody');
  expect(await screen.findByText('No agent is called like that')).toBeTruthy();
});

test('what is typed narrows the list at once, so that nothing moves under the pointer when the server answers', async () => {
  const { client, searches, answer } = server({ busy: true });
  const user = userEvent.setup();
  const onChange = vi.fn();
  const shown = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
  render(<Filter first={null} onChange={onChange} />, { client });
  await user.click(field());
  await waitFor(() => expect(screen.getByText('Agent 0000')).toBeTruthy());
  await user.type(field(), 'AGENT 0042');
  expect(shown()).toEqual(['Agent 0042']);
  // Pressed before the answer and let go after it, as a hand does.
  await user.pointer({ keys: '[MouseLeft>]', target: screen.getByText('Agent 0042') });
  await waitFor(() => expect(searches.at(-1)).toBe('AGENT 0042'));
  expect(shown()).toEqual(['Agent 0042']);
  answer();
  await user.pointer({ keys: '[/MouseLeft]', target: screen.getByText('Agent 0042') });
  expect(onChange).toHaveBeenLastCalledWith('agt_42');
});

test('nothing is said not to be there while the server still looks for it', async () => {
  const { client, searches, answer } = server({ busy: true });
  render(<Filter first={null} onChange={() => {}} />, { client });
  await userEvent.click(field());
  await waitFor(() => expect(screen.getByText('Agent 0000')).toBeTruthy());
  await userEvent.type(field(), 'Agent 9876');
  await waitFor(() => expect(searches.at(-1)).toBe('Agent 9876'));
  expect(screen.getByText('Looking…')).toBeTruthy();
  answer();
  expect(await screen.findByText('Agent 9876')).toBeTruthy();
});
