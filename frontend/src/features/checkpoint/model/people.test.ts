import { describe, expect, it } from 'vitest';
import { doerName, seatText } from './people';

describe('people', () => {
  it('have names', () => {
    expect(doerName({ kind: 'USER', displayName: 'Ada' })).toBe('Ada');
    expect(doerName({ kind: 'SYSTEM', displayName: null })).toBe('the server');
  });

  it('are still needed', () => {
    expect(seatText({ count: 1, who: 'any' })).toBe('one more approver');
    expect(seatText({ count: 2, who: 'group:finance' })).toBe('2 more of the group finance');
    expect(seatText({ count: 1, who: 'role:ADMIN' })).toBe('an administrator');
    expect(seatText({ count: 1, who: 'user:ada@example.com' })).toBe('ada@example.com');
  });
});
