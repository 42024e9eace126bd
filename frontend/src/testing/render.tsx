import { MantineProvider } from '@mantine/core';
import { cleanup, render as renderPlain } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { Provider } from 'urql';
import { afterEach } from 'vitest';
import { theme } from '../app/theme';
import { fakeClient } from './fake-client';

/*
 * Component tests begin with `// @vitest-environment happy-dom`. What needs layout, such as virtual lists and editors, is tested
 * in a real browser instead (e2e/).
 */

afterEach(cleanup);

// Text fields that grow ask when the fonts have come; the simulated page has none.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

interface Options {
  path?: string;
  /** The server's answers; by default there is no server. */
  client?: ReturnType<typeof fakeClient>;
}

const NOBODY = () => {
  throw new Error('this test has no server');
};

export function render(ui: ReactNode, { path = '/', client = fakeClient(NOBODY) }: Options = {}) {
  return renderPlain(
    <MantineProvider theme={theme} env="test">
      <Provider value={client}>
        <MemoryRouter initialEntries={[path]}>{ui}</MemoryRouter>
      </Provider>
    </MantineProvider>,
  );
}
