import { useLocalStorage } from '@mantine/hooks';
import { useState } from 'react';
import { useShortcuts } from '../../lib/use-shortcuts';
import { canApprove, moved, spoken, type InboxShown } from './model/verdicts';
import type { Verdicts } from './use-verdicts';

/** The inbox by keyboard. What is selected goes before the row that the keyboard is at. */
export function useInboxKeys(rows: readonly InboxShown[], verdicts: Verdicts, { undo, help }: { undo: () => void; help: () => void }) {
  const [enabled, setEnabled] = useLocalStorage({ key: 'countersign.shortcuts', defaultValue: true, getInitialValueInEffect: false });
  const [place, setPlace] = useState<{ id: string | null; index: number }>({ id: null, index: 0 });
  const current = rows.find(({ id }) => id === place.id) ?? null;

  function move(by: number) {
    const next = moved(rows, place.id, place.index, by);
    if (next) setPlace({ id: next.id, index: rows.indexOf(next) });
  }

  function targets(): readonly InboxShown[] {
    if (verdicts.selectedRows.length > 0) return verdicts.selectedRows;
    return current ? [current] : [];
  }

  /** The approved row leaves, and the keyboard goes on to the one below. */
  function approve() {
    const chosen = targets();
    verdicts.verbs.approve(chosen);
    if (!current || chosen[0] !== current || chosen.length > 1 || !canApprove(current)) return;
    const index = rows.indexOf(current);
    const next = rows[index + 1] ?? rows[index - 1];
    setPlace({ id: next?.id ?? null, index });
  }

  useShortcuts(
    {
      j: () => move(1),
      k: () => move(-1),
      a: approve,
      r: () => verdicts.verbs.askWhy(targets()),
      e: () => current && verdicts.open(current.id, true),
      o: () => current && verdicts.open(current.id),
      Enter: () => current && verdicts.open(current.id),
      x: () => current && current.told === null && verdicts.verbs.toggle(current.id),
      z: undo,
      Escape: verdicts.clear,
      '?': help,
    },
    { enabled, goesOn: ['j', 'k'] },
  );

  return { current: current?.id ?? null, spoken: current ? spoken(current) : '', enabled, setEnabled };
}
