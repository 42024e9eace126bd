import { Badge, Loader } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useConnectionState } from '../../lib/use-live';

/** Silent while all is well. A blink of the network is over before anybody could read of it. */
export function ConnectionBadge() {
  const [state] = useDebouncedValue(useConnectionState(), 600);
  return (
    <span role="status">
      {state === 'reconnecting' && (
        <Badge color="yellow" leftSection={<Loader type="oval" size={10} color="currentColor" aria-hidden />}>
          Reconnecting…
        </Badge>
      )}
    </span>
  );
}
