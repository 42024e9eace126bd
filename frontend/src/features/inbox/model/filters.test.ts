import { describe, expect, it } from 'vitest';
import { activeFilters, parseFilters, toVariables } from './filters';

const parse = (query: string) => parseFilters(new URLSearchParams(query));

describe('the filters of an address', () => {
  it('is the oldest first, of everything, when it says nothing', () => {
    const filters = parse('');
    expect(activeFilters(filters)).toBe(0);
    expect(toVariables(filters, 0)).toEqual({ orderBy: { field: 'AGE', direction: 'ASC' }, filter: { mine: true } });
  });

  it('passes over what it does not know', () => {
    expect(parse('sort=loudest&risk=HIGH&risk=ENORMOUS&kind=x&due=never')).toMatchObject({ sort: 'oldest', risk: ['HIGH'], kind: null, due: null });
  });

  it('asks the server for exactly what it names', () => {
    const filters = parse('sort=urgent&risk=HIGH&risk=CRITICAL&kind=STEP&due=hour&workflow=wf_1&agent=agt_1');
    expect(activeFilters(filters)).toBe(5);
    expect(toVariables(filters, Date.parse('2026-01-01T10:00:30Z'))).toEqual({
      orderBy: { field: 'DEADLINE', direction: 'ASC' },
      filter: {
        mine: true,
        riskLevel: ['HIGH', 'CRITICAL'],
        kind: ['STEP'],
        workflowId: 'wf_1',
        agentId: 'agt_1',
        dueBefore: '2026-01-01T11:05:00.000Z',
      },
    });
  });
});
