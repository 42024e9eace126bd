import type { ReactNode } from 'react';

/**
 * A place for bad news. It is in the page even while it is empty, because screen readers announce only what changes inside a
 * live region that they already know.
 */
export function Alert({ children }: { children?: ReactNode }) {
  return (
    <div role="alert" className="alert">
      {children}
    </div>
  );
}
