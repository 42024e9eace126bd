import {
  IconChartHistogram,
  IconFileCertificate,
  IconFingerprint,
  IconInbox,
  IconPlayerPlay,
  IconRobot,
  IconScale,
  IconSettings,
  IconSitemap,
  type Icon,
} from '@tabler/icons-react';
import type { Role } from '../../gql/enums';

export interface Destination {
  to: string;
  label: string;
  icon: Icon;
  /** Shown only to people with this role. */
  role?: Role;
}

export const INBOX: Destination = { to: '/inbox', label: 'Inbox', icon: IconInbox };
export const EXECUTIONS: Destination = { to: '/executions', label: 'Executions', icon: IconPlayerPlay };
export const DELIVERABLES: Destination = { to: '/deliverables', label: 'Deliverables', icon: IconFileCertificate };

/** In the order in which people need them: what waits, what runs, what it is made of, and who may do what. */
export const DESTINATIONS: readonly (readonly Destination[])[] = [
  [INBOX, EXECUTIONS, DELIVERABLES],
  [
    { to: '/workflows', label: 'Workflows', icon: IconSitemap },
    { to: '/agents', label: 'Agents', icon: IconRobot },
    { to: '/policies', label: 'Policies', icon: IconScale },
  ],
  [
    { to: '/analytics', label: 'Analytics', icon: IconChartHistogram },
    { to: '/audit', label: 'Audit', icon: IconFingerprint, role: 'ADMIN' },
    { to: '/settings', label: 'Settings', icon: IconSettings },
  ],
];
