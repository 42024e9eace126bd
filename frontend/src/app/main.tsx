import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { Provider as GraphQL } from 'urql';
import { client } from '../lib/client';
import { router } from './routes';
import { cssVariables, theme } from './theme';

const root = document.getElementById('root');
if (!root) throw new Error('the page has no #root');

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <GraphQL value={client}>
        <RouterProvider router={router} />
      </GraphQL>
    </MantineProvider>
  </StrictMode>,
);
