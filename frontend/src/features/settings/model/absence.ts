/** What somebody typed about being away: times as the browser's field has them, in the person's zone. */
export interface Absence {
  delegateId: string | null;
  startsAt: string;
  endsAt: string;
}

/** A time as `<input type="datetime-local">` has it. */
export function localTime(time: number): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

export type AbsenceErrors = Partial<Record<keyof Absence, string>>;

export function absenceErrors({ delegateId, startsAt, endsAt }: Absence, now: number): AbsenceErrors {
  const errors: AbsenceErrors = {};
  if (delegateId === null) errors.delegateId = 'Choose who decides in your place.';
  if (endsAt === '') errors.endsAt = 'Say until when.';
  else if (Date.parse(endsAt) <= now) errors.endsAt = 'This is over already.';
  else if (startsAt !== '' && Date.parse(startsAt) >= Date.parse(endsAt)) errors.endsAt = 'This is before it begins.';
  return errors;
}

/** The API's input: from now on if no beginning was given. */
export function absenceInput({ delegateId, startsAt, endsAt }: Absence) {
  return {
    delegateId,
    endsAt: new Date(endsAt).toISOString(),
    ...(startsAt === '' ? {} : { startsAt: new Date(startsAt).toISOString() }),
  };
}
