/** Who did something, in a word. */
export function doerName(by: { readonly kind: string; readonly displayName: string | null }): string {
  return by.displayName ?? (by.kind === 'SYSTEM' ? 'the server' : 'somebody');
}

const ROLES: Record<string, string> = { ADMIN: 'an administrator', APPROVER: 'an approver', AUTHOR: 'an author', OPERATOR: 'an operator', VIEWER: 'a viewer' };

/** A seat that is still empty: "2 more of the group finance", "ada@example.com". */
export function seatText({ count, who }: { readonly count: number; readonly who: string }): string {
  const [kind = '', ...rest] = who.split(':');
  const name = rest.join(':');
  if (kind === 'user') return name;
  if (kind === 'group') return count === 1 ? `one more of the group ${name}` : `${count} more of the group ${name}`;
  if (kind === 'role') return count === 1 ? (ROLES[name.toUpperCase()] ?? name) : `${count} people with the role ${name.toLowerCase()}`;
  return count === 1 ? 'one more approver' : `${count} more approvers`;
}

/** What happens when nobody decides in time. */
export const ON_TIMEOUT: Record<string, string> = {
  APPROVE: 'it counts as approved',
  CANCEL: 'the execution ends',
  ESCALATE: 'others are asked as well',
  REJECT: 'it counts as rejected',
};
