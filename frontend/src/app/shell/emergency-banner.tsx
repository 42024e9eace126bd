import { Alert, Anchor } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { Link } from 'react-router';
import { RelativeTime } from '../../components/relative-time';
import { useEmergencyStop } from '../../lib/use-emergency-stop';

/** Whoever works here has to know why nothing approves itself any more. */
export function EmergencyBanner() {
  const stop = useEmergencyStop();
  if (!stop) return null;
  return (
    <Alert color="red" variant="filled" radius={0} py="xs" icon={<IconHandStop size={20} />} title="Emergency stop: nothing is approved without people">
      {stop.reason ?? 'No reason was given'}
      {stop.since !== null && (
        <>
          {' · '}set <RelativeTime at={stop.since} />
        </>
      )}
      {' · '}
      <Anchor component={Link} to="/policies" inherit c="inherit" underline="always">
        Policies
      </Anchor>
    </Alert>
  );
}
