import { useEffect, type RefObject } from 'react';

const FIELD = 'input:not([type=hidden], :disabled), textarea:not(:disabled), select:not(:disabled)';

/**
 * Puts the focus into the first field of a form that is loaded only when its dialog opens. Dialogs look for `data-autofocus` when
 * they open, and without it take their close button.
 */
export function useFirstField(form: RefObject<HTMLElement | null>, wanted: boolean): void {
  useEffect(() => {
    const field = wanted ? form.current?.querySelector<HTMLElement>(FIELD) : null;
    // The dialog may look only after this, or may have looked before there was a form.
    field?.setAttribute('data-autofocus', '');
    field?.focus({ preventScroll: true });
  }, [form, wanted]);
}
