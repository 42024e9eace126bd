import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOutbox, idsAway, parcelTitle, type Decision, type Failure } from './outbox';

const decision = (checkpointId: string, verdict: Decision['verdict'] = 'APPROVE'): Decision => ({
  checkpointId,
  digest: `digest of ${checkpointId}`,
  description: `Pay ${checkpointId}`,
  verdict,
  reason: null,
});

function make(answer: (decisions: readonly Decision[]) => readonly Failure[] = () => []) {
  const send = vi.fn(async (decisions: readonly Decision[]) => answer(decisions));
  const onDone = vi.fn();
  return { send, onDone, outbox: createOutbox({ send, holdMs: 5_000, onDone }) };
}

describe('the outbox', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('sends after a while', async () => {
    const { outbox, send, onDone } = make();
    const parcel = outbox.hold([decision('a')]);
    expect(idsAway(outbox.state())).toEqual(new Set(['a']));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(send).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(send).toHaveBeenCalledExactlyOnceWith([decision('a')]);
    expect(onDone).toHaveBeenCalledExactlyOnceWith(parcel, []);
    expect(outbox.state()).toEqual({ parcels: [], failures: [], done: new Set(['a']) });
  });

  it('takes back what is held, and nothing is ever sent', async () => {
    const { outbox, send } = make();
    const parcel = outbox.hold([decision('a'), decision('b')]);
    expect(outbox.undo(parcel?.id ?? 0)).toBe(true);
    expect(outbox.undo(parcel?.id ?? 0), 'a second click on it').toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(send).not.toHaveBeenCalled();
    expect(idsAway(outbox.state()).size).toBe(0);
  });

  it('sends at once when the page is left, and then nothing can be taken back', async () => {
    const { outbox, send } = make();
    const parcel = outbox.hold([decision('a')]);
    outbox.flush();
    expect(send).toHaveBeenCalledOnce();
    expect(outbox.undo(parcel?.id ?? 0)).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(send).toHaveBeenCalledOnce();
    expect(outbox.undo(parcel?.id ?? 0)).toBe(false);
  });

  it('keeps what was refused, with the reason, until it is decided again', async () => {
    const { outbox } = make(([first]) => (first ? [{ decision: first, message: 'Bob was faster.' }] : []));
    outbox.hold([decision('a'), decision('b')]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(outbox.state().failures).toEqual([{ decision: decision('a'), message: 'Bob was faster.' }]);
    expect(outbox.state().done).toEqual(new Set(['b']));
    outbox.hold([decision('a')]);
    expect(outbox.state().failures).toEqual([]);
  });

  it('decides nothing twice', () => {
    const { outbox } = make();
    outbox.hold([decision('a')]);
    expect(outbox.hold([decision('a', 'REJECT')])).toBeNull();
    expect(outbox.hold([decision('a'), decision('b')])?.decisions).toEqual([decision('b')]);
  });

  it('says what it is about to do', () => {
    const { outbox } = make();
    const one = outbox.hold([decision('a')]);
    const two = outbox.hold([decision('b', 'REJECT'), decision('c', 'REJECT')]);
    expect(one && parcelTitle(one)).toBe('Approving “Pay a”');
    expect(two && parcelTitle(two)).toBe('Rejecting 2 checkpoints');
  });
});
