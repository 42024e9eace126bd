import { useEffect, useEffectEvent } from 'react';

/** What single keys do, by `KeyboardEvent.key`. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** Where letters are letters, or keys have a meaning already. */
const ELSEWHERE = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable=true], [role=dialog], [role=menu], [role=listbox]';
const PRESSABLE = 'a, button, summary';

/**
 * Single-key shortcuts while the component is there. They rest while somebody types or a dialog is open. Only those that go on while
 * their key is held down are done more than once for it.
 */
export function useShortcuts(shortcuts: Shortcuts, { enabled = true, goesOn = [] }: { enabled?: boolean; goesOn?: readonly string[] } = {}): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = shortcuts[event.key];
    if (!action || isElsewhere(event)) return;
    event.preventDefault();
    if (!event.repeat || goesOn.includes(event.key)) action();
  });
  useEffect(() => {
    if (!enabled) return;
    const listen = (event: KeyboardEvent) => press(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [enabled]);
}

function isElsewhere({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector('[role=dialog][aria-modal=true]')) return true;
  if (!(target instanceof Element)) return false;
  if (target.closest(ELSEWHERE)) return true;
  // Enter on a button presses the button.
  return key === 'Enter' && target.closest(PRESSABLE) !== null;
}
