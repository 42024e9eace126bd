import { useId, useRef } from 'react';
import { TokenForm } from './token-form';

/** The browser's own popover: Escape and a click elsewhere close it, and the focus returns to the button. */
export function TokenPopover({ children }: { children: string }) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);

  return (
    <>
      <button type="button" className="button" popoverTarget={id}>
        {children}
      </button>
      <div
        id={id}
        ref={popover}
        popover="auto"
        className="popover"
        role="dialog"
        aria-label="API token"
        onToggle={(event) => event.newState === 'open' && input.current?.focus()}
      >
        <TokenForm inputRef={input} onSaved={() => popover.current?.hidePopover()} />
      </div>
    </>
  );
}
