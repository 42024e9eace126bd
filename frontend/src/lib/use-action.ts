import { useRef, useState } from 'react';

/**
 * Something that a person starts and waits for. While it runs, `pending` is true and further starts are ignored; what it throws
 * ends up in `error`, to be shown beside the control that started it.
 */
export function useAction<Args extends unknown[]>(action: (...args: Args) => Promise<void>) {
  const [state, setState] = useState<{ pending: boolean; error: unknown }>({ pending: false, error: null });
  const running = useRef(false);

  async function run(...args: Args): Promise<void> {
    // The state is a render behind; the ref stops the second half of a double click.
    if (running.current) return;
    running.current = true;
    setState({ pending: true, error: null });
    try {
      await action(...args);
      setState({ pending: false, error: null });
    } catch (error) {
      setState({ pending: false, error });
    } finally {
      running.current = false;
    }
  }

  return { ...state, run };
}
