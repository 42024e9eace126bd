import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { Outlet } from 'react-router';

/** Toasts and dialogs, inside of the router because there are links in them. */
export function Root() {
  return (
    <ModalsProvider modalProps={{ centered: true, radius: 'lg' }}>
      <Notifications position="bottom-center" limit={4} />
      <Outlet />
    </ModalsProvider>
  );
}
