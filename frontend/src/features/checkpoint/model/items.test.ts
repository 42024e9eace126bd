import { describe, expect, it } from 'vitest';
import { approveLabel, chosenItems, factsOf, itemList, searchItems } from './items';

const items = [
  { id: '1', label: 'Ada Byron', action: 'remove', data: { team: 'Engines', last: '2024-01-01', more: { deep: true } } },
  { id: '2', label: 'Grace Hopper', action: 'remove', data: { team: 'Compilers' } },
];

describe('items', () => {
  it('are chosen until they are left out', () => {
    expect(chosenItems(items, new Set(['1', 'gone']))).toEqual(['2']);
  });

  it('are found by what one sees of them', () => {
    expect(searchItems(items, ' GRACE ')).toEqual([items[1]]);
    expect(searchItems(items, 'remove engines')).toEqual([items[0]]);
    expect(searchItems(items, '')).toBe(items);
  });

  it('show the first flat fields', () => {
    expect(factsOf(items[0]?.data)).toEqual([
      { key: 'team', label: 'Team', value: 'Engines' },
      { key: 'last', label: 'Last', value: '2024-01-01' },
    ]);
    expect(factsOf(null)).toEqual([]);
  });

  it('are not told a second time by the list that they were made from', () => {
    expect(itemList(items, items)).toEqual({ kind: 'plain', text: 'The 2 items below; the JSON has all of their fields' });
    const entries = [{ id: 1, label: 'One', size: 7 }];
    expect(itemList(entries, [{ id: '1', label: 'One', action: null, data: { id: 1, label: 'One', size: 7 } }])).toEqual({ kind: 'plain', text: 'The item below' });
    expect(itemList(['a', 'b'], ['a', 'b'].map((id) => ({ id, label: id, action: null, data: id })))).toEqual({ kind: 'plain', text: 'The 2 items below' });
  });

  it('of which only some may be done are told by their names', () => {
    expect(itemList(items.slice(1), items)).toEqual({ kind: 'list', values: ['Grace Hopper'] });
  });

  it('hide no list that says anything else', () => {
    expect(itemList([...items, { id: '3' }], items)).toBeNull();
    expect(itemList([{ ...items[0], force: true }, items[1]], items)).toBeNull();
    expect(itemList([{ ...items[0], data: { team: 'Others' } }, items[1]], items)).toBeNull();
  });

  it('are counted on the button', () => {
    expect([approveLabel(0, 0), approveLabel(25, 25), approveLabel(25, 23)]).toEqual(['Approve', 'Approve all (25)', 'Approve selected (23)']);
  });
});
