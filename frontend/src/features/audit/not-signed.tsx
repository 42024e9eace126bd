import { Alert, Text } from '@mantine/core';
import { IconAlertOctagon } from '@tabler/icons-react';

/** The server has found that the log is not as it was written, and does not put its name to it any more. */
export function NotSigned({ because }: { because: string }) {
  return (
    <Alert color="red" variant="filled" icon={<IconAlertOctagon size={22} />} title="The server does not sign this log any more" mt="md" role="alert">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {because.charAt(0).toUpperCase() + because.slice(1)}. Entries are still recorded. Keep the database as it is, run <code>countersign audit verify</code> and tell those who are responsible for security.
      </Text>
    </Alert>
  );
}
