import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { CodeText } from '../lib/code-text';
import { describe } from '../lib/errors';

/** What could not be loaded, in words, and a way to try again. */
export function ErrorState({ error, onRetry, title = 'This could not be loaded' }: { error: unknown; onRetry?: () => void; title?: string }) {
  return (
    <Alert color="red" icon={<IconAlertTriangle size={20} />} title={title} role="alert" w="100%" maw={640}>
      <Stack gap="sm" align="flex-start">
        <Text size="sm"><CodeText>{describe(error)}</CodeText></Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
