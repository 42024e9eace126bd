import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

/** Bad news in a form. The region is there while it is empty, because screen readers tell only what changes inside one. */
export function FormProblem({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="live-region">
      {children && (
        <Alert color="red" role="presentation" py="xs">
          {children}
        </Alert>
      )}
    </div>
  );
}
