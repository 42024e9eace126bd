import { useEffect, useSyncExternalStore } from 'react';
import { client } from '../../lib/client';
import { describe, ApiError } from '../../lib/errors';
import { showFailure } from '../../lib/notify';
import { toApiError } from '../../lib/send-exchange';
import { DECIDE } from './documents';
import { hideHeld, showHeld } from './held-toast';
import { createOutbox, parcelTitle, type Decision, type Failure, type Parcel } from './model/outbox';

const HOLD_MS = 5_000;
const TOO_LATE = 'Too late to undo';
/** As many as the server takes at once. */
const AT_ONCE = 100;

async function sendSome(decisions: readonly Decision[]): Promise<Failure[]> {
  const input = {
    decisions: decisions.map(({ checkpointId, digest, verdict, reason }) => ({ checkpointId, digest, verdict, reason })),
  };
  const { data, error } = await client.mutation(DECIDE, { input }).toPromise();
  const results = data?.decideCheckpoints.results ?? [];
  const whole = error ? toApiError(error) : refusal(data?.decideCheckpoints.userErrors);
  return decisions.flatMap((decision, index) => {
    const problem = whole ?? refusal(results[index]?.userErrors);
    return problem ? [{ decision, message: describe(problem) }] : [];
  });
}

function refusal(errors: readonly { code: string; message: string }[] | undefined): ApiError | null {
  const first = errors?.[0];
  return first ? new ApiError(first.code, first.message) : null;
}

async function send(decisions: readonly Decision[]): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let from = 0; from < decisions.length; from += AT_ONCE) {
    // oxlint-disable-next-line no-await-in-loop -- the server decides one after the other in any case
    failures.push(...(await sendSome(decisions.slice(from, from + AT_ONCE))));
  }
  return failures;
}

/** How many inboxes are there to be seen. */
let inboxes = 0;

/** One for the whole console: what is on its way when somebody leaves the inbox still has somewhere to come back to. */
const outbox = createOutbox({
  send,
  holdMs: HOLD_MS,
  onSending: ({ id }) => hideHeld(id),
  onDone: (_, failures) => {
    const [first] = failures;
    // The inbox itself has room for all of them; elsewhere, a toast has to do.
    if (!first || inboxes > 0) return;
    const title = failures.length === 1 ? 'A decision did not go through' : `${failures.length} decisions did not go through`;
    showFailure(`${first.decision.description}: ${first.message}`, title);
  },
});

function decide(decisions: readonly Decision[]): void {
  const parcel = outbox.hold(decisions);
  if (parcel) showHeld(parcel, () => undo(parcel));
}

/** Its toast can still be pressed while it leaves. Whoever does must not believe that nothing was sent. */
function undo(parcel: Parcel): void {
  if (outbox.undo(parcel.id)) hideHeld(parcel.id);
  else showFailure(`${parcelTitle(parcel)}: this has been sent already.`, TOO_LATE);
}

function undoLast(): void {
  const { parcels, done } = outbox.state();
  const last = parcels.findLast(({ state }) => state === 'held');
  if (last) undo(last);
  else if (parcels.length > 0 || done.size > 0) showFailure('What you decided has been sent already.', TOO_LATE);
}

/** Decisions made in the inbox. They are sent when their time is over or the page is left, whichever comes first. */
export function useOutbox() {
  const state = useSyncExternalStore(outbox.subscribe, outbox.state);
  useEffect(() => {
    inboxes += 1;
    // On a phone, being hidden is the last that a page hears before it is gone.
    const leave = () => document.visibilityState === 'hidden' && outbox.flush();
    document.addEventListener('visibilitychange', leave);
    addEventListener('pagehide', outbox.flush);
    return () => {
      inboxes -= 1;
      document.removeEventListener('visibilitychange', leave);
      removeEventListener('pagehide', outbox.flush);
      outbox.flush();
    };
  }, []);
  return { state, decide, undoLast, dismiss: outbox.dismiss };
}
