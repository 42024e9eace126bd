import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'button'> {
  pending: boolean;
  pendingLabel: string;
}

/** A button that says what it is waiting for. It keeps the focus meanwhile, which `disabled` would take away. */
export function ActionButton({ pending, pendingLabel, children, className = '', type = 'button', onClick, ...rest }: Props) {
  return (
    <button
      {...rest}
      type={type}
      className={`button ${className}`}
      aria-disabled={pending}
      onClick={pending ? (event) => event.preventDefault() : onClick}
    >
      {pending && <span className="spinner" aria-hidden="true" />}
      {pending ? pendingLabel : children}
    </button>
  );
}
