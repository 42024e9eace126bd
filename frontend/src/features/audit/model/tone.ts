import type { AuditAction } from '../../../gql/enums';

type Tone = 'brand' | 'red' | 'orange' | 'blue' | 'gray';

const TONES: [RegExp, Tone][] = [
  [/REFUSED|REUSED|ERASED|EMERGENCY_STOP_SET|DELETED|REVOKED|DISABLED|REJECTED/, 'red'],
  [/TIMED_OUT|ESCALATED|OVERRIDDEN|DEMOTED|POLICY_CHANGED|ROLES_CHANGED/, 'orange'],
  [/APPROVED|FINALIZED|LIFTED|PROMOTED|ENABLED/, 'brand'],
  [/CREATED|INVITED|ADDED|SET$|UPDATED|SAVED|RESTORED/, 'blue'],
];

/** What is worth a second look stands out; the word says the rest. */
export function toneOf(action: AuditAction | null): Tone {
  return TONES.find(([pattern]) => pattern.test(action ?? ''))?.[1] ?? 'gray';
}
