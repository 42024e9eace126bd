import { Alert, Anchor, Button, List, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { CodeText } from '../../lib/code-text';
import { Plain } from '../../lib/plain';
import type { Failure } from './model/outbox';

/** Decisions that the server refused, each with its own reason. What they were about waits in the list again, if it waits at all. */
export function Failures({ failures, onDismiss }: { failures: readonly Failure[]; onDismiss: () => void }) {
  if (failures.length === 0) return null;
  return (
    <Alert
      color="red"
      mb="md"
      icon={<IconAlertTriangle size={20} />}
      title={failures.length === 1 ? 'A decision did not go through' : `${failures.length} decisions did not go through`}
    >
      <List size="sm" spacing={6} mb="sm" listStyleType="none">
        {failures.map(({ decision, message }) => (
          <List.Item key={decision.checkpointId}>
            <Anchor component={Link} to={`/checkpoints/${decision.checkpointId}`} size="sm" fw={600} c="var(--mantine-color-text)" underline="always">
              <Plain>{decision.description}</Plain>
            </Anchor>
            <Text size="sm"><CodeText>{message}</CodeText></Text>
          </List.Item>
        ))}
      </List>
      <Button size="xs" variant="default" onClick={onDismiss}>
        Understood
      </Button>
    </Alert>
  );
}
