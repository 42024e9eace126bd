import { describe, expect, it } from 'vitest';
import { outcomeText } from './outcome';

const decision = (name: string, verdict: 'APPROVE' | 'REJECT' = 'APPROVE', more = {}) => ({
  verdict,
  comment: null,
  lapsed: false,
  by: { kind: 'USER', displayName: name, user: { id: name } },
  onBehalfOf: null,
  ...more,
});

const ended = { kind: 'STEP', resolvedAt: '2026-01-01T00:00:00Z', rule: null, reason: null, modified: false, revisions: [], outcome: null } as const;

describe('how a checkpoint ended', () => {
  it('is nothing while it waits', () => {
    expect(outcomeText({ ...ended, status: 'PENDING', decisions: [] }, null)).toBeNull();
  });

  it('names nobody before it is known who it was', () => {
    expect(outcomeText({ ...ended, resolvedAt: null, status: 'APPROVED', decisions: [decision('Ada')] }, null)).toEqual({ title: 'Approved', details: [] });
  });

  it('says that silence was taken for consent', () => {
    expect(outcomeText({ ...ended, status: 'APPROVED', decisions: [] }, null)?.title).toBe('Approved, because nobody decided in time');
  });

  it('names all who approved, oneself as "you", and what they said', () => {
    const decisions = [decision('Ada', 'APPROVE', { comment: 'Fine.' }), decision('Bob', 'APPROVE', { lapsed: true }), decision('Eve')];
    expect(outcomeText({ ...ended, status: 'APPROVED', decisions }, 'Eve')).toEqual({ title: 'Approved by Ada and you', details: ['Ada: “Fine.”'] });
  });

  it('says that it was not approved as it was', () => {
    const decisions = [decision('Ada')];
    const instead = { ...ended, status: 'APPROVED', decisions, modified: true, outcome: { approvedItems: ['1', '2'] } } as const;
    const selected = outcomeText({ ...instead, revisions: [{ cause: null }, { cause: 'SELECTED' }] }, null);
    expect(selected?.details).toEqual(['Only 2 of the items: they are marked below.']);
    const modified = outcomeText({ ...instead, revisions: [{ cause: null }, { cause: 'MODIFIED' }] }, null);
    expect(modified?.details).toEqual(['Not as it was proposed: the revisions below say what was changed.']);
  });

  it('names only who rejected, with the reason', () => {
    const decisions = [decision('Ada'), decision('Bob', 'REJECT')];
    expect(outcomeText({ ...ended, status: 'REJECTED', reason: 'Twice.', decisions }, null)).toEqual({ title: 'Rejected by Bob', details: ['“Twice.”'] });
  });

  it('names the rule', () => {
    expect(outcomeText({ ...ended, status: 'AUTO_APPROVED', rule: 'Small refunds', decisions: [] }, null)?.title).toBe('Approved by the rule “Small refunds”');
  });
});
