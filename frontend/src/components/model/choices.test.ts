import { describe, expect, it } from 'vitest';
import { choicesOf, MORE, nameOf, narrowed } from './choices';

const page = (names: string[], hasNextPage = false) => ({ nodes: names.map((name) => ({ id: `id of ${name}`, name })), pageInfo: { hasNextPage } });

describe('what can be chosen', () => {
  it('is what the server found, in its order', () => {
    expect(choicesOf(page(['Billing', 'Alerts']), null)).toEqual([
      { value: 'id of Billing', label: 'Billing' },
      { value: 'id of Alerts', label: 'Alerts' },
    ]);
  });

  it('says that there are more', () => {
    expect(choicesOf(page(['Billing'], true), null).at(-1)).toMatchObject({ value: MORE, disabled: true });
  });

  it('has what is chosen once, also where the search did not find it or nothing is found yet', () => {
    const chosen = { id: 'id of Zebra', name: 'Zebra' };
    expect(choicesOf(page(['Billing']), chosen).map(({ label }) => label)).toEqual(['Billing', 'Zebra']);
    expect(choicesOf(page(['Zebra', 'Billing']), chosen).map(({ label }) => label)).toEqual(['Zebra', 'Billing']);
    expect(choicesOf(undefined, chosen).map(({ label }) => label)).toEqual(['Zebra']);
  });

  it('leaves out who cannot be chosen', () => {
    expect(choicesOf(page(['Me', 'You']), null, 'id of Me').map(({ label }) => label)).toEqual(['You']);
  });
});

it('narrows by what is typed, and tells of more only where these were searched for', () => {
  const choices = choicesOf(page(['Billing', 'Alerts', 'Rebilling'], true), null);
  expect(narrowed(choices, 'BILL', false).map(({ label }) => label)).toEqual(['Billing', 'Rebilling']);
  expect(narrowed(choices, 'BILL', true).map(({ value }) => value)).toEqual(['id of Billing', 'id of Rebilling', MORE]);
  expect(narrowed(choices, '', true)).toEqual(choices);
});

it('names people with their address, and nothing that has no name', () => {
  expect(nameOf({ id: '1', displayName: 'Ada Byron', email: 'ada@example.com' })).toBe('Ada Byron (ada@example.com)');
  expect(nameOf({ id: '1', name: 'Refunds' })).toBe('Refunds');
  expect(nameOf({ id: '1' })).toBeNull();
});
