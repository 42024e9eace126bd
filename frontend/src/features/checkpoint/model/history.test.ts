import { describe, expect, it } from 'vitest';
import type { HistoryEventFragment } from '../../../gql/types';
import { tell } from './history';

const actor = { kind: 'USER' as const, displayName: 'Ada', user: null };
const base = { cursor: 'c', at: '2026-01-01T00:00:00Z', actor };

describe('the history', () => {
  it('is told in words', () => {
    const done: HistoryEventFragment = { ...base, __typename: 'StepCompleted', stepKey: 'triage', reasoning: 'Clear case.', confidence: 0.9 };
    expect(tell(done, 'me')).toEqual({ title: 'triage is done', tone: 'good', detail: 'Clear case.' });
  });

  it('knows its own checkpoint from others', () => {
    const asked: HistoryEventFragment = { ...base, __typename: 'CheckpointRequested', checkpoint: { id: 'me', description: 'Pay' } };
    expect(tell(asked, 'me')?.title).toBe('Stopped here for people');
    expect(tell(asked, 'other')).toMatchObject({ title: 'Stopped for people', detail: 'Pay' });
  });

  it('passes over what it does not know', () => {
    expect(tell({ ...base, __typename: 'StepScheduled' } as HistoryEventFragment, 'me')).toBeNull();
  });
});
