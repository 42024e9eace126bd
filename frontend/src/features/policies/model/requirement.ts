import type { ApprovalRequirementPartsFragment } from '../../../gql/types';
import { duration, words } from '../../../lib/format';

/** Who would have to approve and what happens otherwise, one sentence each. */
export function sentencesOf(requirement: ApprovalRequirementPartsFragment): string[] {
  const { seats, groups, users, roles, exclude, separationOfDuties, timeoutSeconds, onTimeout, escalateAfterSeconds, escalateTo, reminderSeconds } = requirement;
  const asked = [...groups.map((name) => `the group ${name}`), ...users, ...roles.map((role) => `everybody with the role ${words(role)}`)];
  const named = seats.filter(({ who }) => who !== 'any').map(({ count, who }) => `${count} of ${who}`);
  const open = seats.find(({ who }) => who === 'any');
  return [
    [...(open ? [`${people(open.count)} must approve`] : []), ...named.map((seat) => `${seat} must approve`)].join(', and '),
    asked.length > 0 ? `Asked: ${asked.join(', ')}` : '',
    exclude.length > 0 ? `Does not count: ${exclude.map((who) => words(who).toLowerCase()).join(', ')}` : '',
    separationOfDuties ? 'Whoever started the execution may not decide' : '',
    timeoutSeconds === null ? 'It waits for as long as it takes' : `After ${duration(timeoutSeconds)} without a decision: ${words(onTimeout ?? 'CANCEL').toLowerCase()}`,
    escalateAfterSeconds !== null && escalateTo.length > 0 ? `After ${duration(escalateAfterSeconds)}, these are asked as well: ${escalateTo.join(', ')}` : '',
    reminderSeconds === null ? '' : `Reminded every ${duration(reminderSeconds)}`,
  ].filter((line) => line !== '');
}

function people(count: number): string {
  return count === 1 ? 'One person' : `${count} different people`;
}
