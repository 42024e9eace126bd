import { IconAlertOctagon, IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import type { RiskLevel } from '../gql/enums';
import { RISK_LOOKS } from './model/status';
import { Tag } from './tag';

const ICONS = { LOW: IconShieldCheck, MEDIUM: IconAlertTriangle, HIGH: IconAlertTriangle, CRITICAL: IconAlertOctagon };

/** How much harm it can do. The two highest levels are outlined as well: they must not be overlooked in a long list. */
export function RiskBadge({ level }: { level: RiskLevel }) {
  const { label, color } = RISK_LOOKS[level] ?? { label: level, color: 'gray' as const };
  const Icon = ICONS[level] ?? IconAlertTriangle;
  return (
    <Tag color={color} icon={<Icon size={13} aria-hidden />} outlined={level === 'HIGH' || level === 'CRITICAL'}>
      {label}
    </Tag>
  );
}
