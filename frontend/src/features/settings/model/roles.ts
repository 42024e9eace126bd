import type { Role } from '../../../gql/enums';

export const ROLES: readonly { role: Role; label: string; may: string }[] = [
  { role: 'VIEWER', label: 'Viewer', may: 'sees everything that is not secret' },
  { role: 'OPERATOR', label: 'Operator', may: 'starts and stops executions, hands in deliverables' },
  { role: 'AUTHOR', label: 'Author', may: 'writes agents and workflows, tries policies on the past' },
  { role: 'APPROVER', label: 'Approver', may: 'decides what agents may do, presses the emergency stop' },
  { role: 'ADMIN', label: 'Administrator', may: 'does all of this, and manages people, policies, tokens and secrets' },
];

export const roleLabel = (role: Role): string => ROLES.find((one) => one.role === role)?.label ?? role;
