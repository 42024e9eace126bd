import { Badge } from '@mantine/core';
import { IconAlertOctagon, IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react';
import type { RiskLevel } from '../gql/enums';
import { RISK_LOOKS } from './model/status';

const ICONS = { LOW: IconShieldCheck, MEDIUM: IconAlertTriangle, HIGH: IconAlertTriangle, CRITICAL: IconAlertOctagon };

/** How much harm it can do. The two highest levels are outlined as well: they must not be overlooked in a long list. */
export function RiskBadge({ level }: { level: RiskLevel }) {
  const { label, color } = RISK_LOOKS[level] ?? { label: level, color: 'gray' };
  const Icon = ICONS[level] ?? IconAlertTriangle;
  const grave = level === 'HIGH' || level === 'CRITICAL';
  return (
    <Badge
      color={color}
      leftSection={<Icon size={13} aria-hidden />}
      style={grave ? { borderColor: 'currentColor', borderWidth: 1 } : undefined}
    >
      {label}
    </Badge>
  );
}
