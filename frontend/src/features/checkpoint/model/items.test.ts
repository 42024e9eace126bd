import { describe, expect, it } from 'vitest';
import { approveLabel, chosenItems, factsOf, searchItems } from './items';

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
      { label: 'Team', value: 'Engines' },
      { label: 'Last', value: '2024-01-01' },
    ]);
    expect(factsOf(null)).toEqual([]);
  });

  it('are counted on the button', () => {
    expect([approveLabel(0, 0), approveLabel(25, 25), approveLabel(25, 23)]).toEqual(['Approve', 'Approve all (25)', 'Approve selected (23)']);
  });
});
