import { AppShell, Group, VisuallyHidden } from '@mantine/core';
import { Suspense } from 'react';
import { Link, Outlet, ScrollRestoration } from 'react-router';
import mark from '../../assets/mark.svg';
import { PageSkeleton } from '../../components/page-skeleton';
import { useDirectoryChanges } from '../../lib/use-directory-changes';
import { useRefresh } from '../../lib/use-refresh';
import { usePageName } from '../../lib/use-title';
import { useViewer } from '../../lib/use-viewer';
import { AccessProblem } from './access-problem';
import { BottomNav } from './bottom-nav';
import { ConnectionBadge } from './connection-badge';
import { EmergencyBanner } from './emergency-banner';
import { RecoveryBanner } from './recovery-banner';
import classes from './shell.module.css';
import { SideNav } from './side-nav';
import { ThemeSwitch } from './theme-switch';
import { useInboxNews } from './use-inbox-news';
import { UserMenu } from './user-menu';

/** What surrounds every page: where one is, where one can go, and whether what one sees is up to date. */
export function Shell() {
  const waiting = useInboxNews();
  const page = usePageName();
  const { viewer, error, retry } = useViewer();
  // Other roles are other buttons, and the server has ended the connection of whoever has them.
  useDirectoryChanges(useRefresh(retry, 200));
  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: true } }} padding={0}>
      <a href="#content" className="skip-link">
        Skip to the content
      </a>
      <AppShell.Header withBorder style={{ borderColor: 'var(--app-line)' }}>
        <div className={classes.header}>
          <Link to="/inbox" className={classes.home} aria-label="Countersign: inbox">
            <img src={mark} alt="" width="26" height="26" />
            <span>Countersign</span>
          </Link>
          <span className={classes.workspace}>{viewer?.workspace.name}</span>
          <Group gap="xs" ml="auto" wrap="nowrap">
            <ConnectionBadge />
            <ThemeSwitch />
            <UserMenu />
          </Group>
        </div>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label="Main" visibleFrom="sm">
        <SideNav waiting={waiting} />
      </AppShell.Navbar>
      <AppShell.Main className={classes.main} id="content" tabIndex={-1}>
        <EmergencyBanner />
        <RecoveryBanner />
        <div className={classes.content}>
          {error && !viewer ? (
            <AccessProblem error={error} onRetry={retry} />
          ) : (
            <Suspense fallback={<PageSkeleton />}>
              <Outlet />
            </Suspense>
          )}
        </div>
      </AppShell.Main>
      <BottomNav waiting={waiting} />
      <VisuallyHidden role="status" aria-live="polite">
        {page}
      </VisuallyHidden>
      <ScrollRestoration />
    </AppShell>
  );
}
