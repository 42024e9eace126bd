import { Box, Grid } from '@mantine/core';
import { Navigate, NavLink, Route, Routes, useLocation } from 'react-router';
import { PageHeader } from '../../components/page-header';
import { useActiveInView } from '../../lib/use-active-in-view';
import { useViewer } from '../../lib/use-viewer';
import { Appearance } from './appearance';
import { Groups } from './groups/groups';
import { Members } from './members/members';
import { Profile } from './profile/profile';
import { Secrets } from './secrets/secrets';
import { ServiceAccounts } from './service-accounts/service-accounts';
import classes from './settings.module.css';
import { Tokens } from './tokens/tokens';
import { Workspace } from './workspace/workspace';

/** What the viewer may see of it; what only administrators may see is not offered to others. */
const SECTIONS = [
  { path: 'profile', label: 'My profile', element: <Profile /> },
  { path: 'appearance', label: 'Appearance', element: <Appearance /> },
  { path: 'members', label: 'Members', element: <Members /> },
  { path: 'groups', label: 'Groups', element: <Groups /> },
  { path: 'tokens', label: 'API tokens', element: <Tokens />, admin: true },
  { path: 'service-accounts', label: 'Service accounts', element: <ServiceAccounts />, admin: true },
  { path: 'secrets', label: 'Secrets', element: <Secrets />, admin: true },
  { path: 'workspace', label: 'Workspace', element: <Workspace />, admin: true },
];

export function SettingsPage() {
  const { can, viewer } = useViewer();
  const { pathname } = useLocation();
  const nav = useActiveInView<HTMLDivElement>('.active', pathname);
  const sections = SECTIONS.filter(({ admin }) => !admin || can('ADMIN'));
  return (
    <>
      <PageHeader title="Settings">Your profile, people, groups and tokens.</PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 2.5 }}>
          <Box component="nav" aria-label="Settings" className={classes.nav} ref={nav}>
            {sections.map(({ path, label }) => (
              <NavLink key={path} to={`/settings/${path}`} className={classes.link}>
                {label}
              </NavLink>
            ))}
          </Box>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 9.5 }}>
          {/* Before one knows who it is, one cannot know that there is no such page for them. */}
          {viewer && (
            <Routes>
              {sections.map(({ path, element }) => (
                <Route key={path} path={path} element={element} />
              ))}
              <Route path="*" element={<Navigate to="/settings/profile" replace />} />
            </Routes>
          )}
        </Grid.Col>
      </Grid>
    </>
  );
}
