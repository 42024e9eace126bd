import { createBrowserRouter, redirect, type RouteObject } from 'react-router';
import { ErrorPage } from './error-page';
import { Protected } from './protected';
import { Root } from './root';
import { Shell } from './shell/shell';

/** A page that is loaded when somebody goes there. The module exports it as `Component`. */
type Page = () => Promise<{ Component: React.ComponentType }>;

const page = (path: string, lazy: Page): RouteObject => ({ path, lazy });

export const routes: RouteObject[] = [
  {
    element: <Root />,
    errorElement: <ErrorPage />,
    // Nothing to see until the first page has come: it takes less time than a spinner takes to be understood.
    HydrateFallback: () => null,
    children: [
      page('/sign-in', () => import('./pages/sign-in')),
      {
        element: (
          <Protected>
            <Shell />
          </Protected>
        ),
        children: [
          {
            errorElement: <ErrorPage inShell />,
            children: [
              { path: '/', loader: () => redirect('/inbox') },
              page('/inbox', () => import('./pages/inbox')),
              page('/checkpoints/:id', () => import('./pages/checkpoint')),
              page('/executions', () => import('./pages/executions')),
              page('/executions/:id', () => import('./pages/execution')),
              page('/workflows', () => import('./pages/workflows')),
              page('/workflows/:id', () => import('./pages/workflow')),
              page('/agents', () => import('./pages/agents')),
              page('/deliverables', () => import('./pages/deliverables')),
              page('/deliverables/:id', () => import('./pages/deliverable')),
              page('/audit', () => import('./pages/audit')),
              page('/policies', () => import('./pages/policies')),
              page('/analytics', () => import('./pages/analytics')),
              page('/settings/*', () => import('./pages/settings')),
              page('*', () => import('./pages/not-found')),
            ],
          },
        ],
      },
    ],
  },
];

export const router = createBrowserRouter(routes);
