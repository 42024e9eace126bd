import { Card, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** One matter of the settings. */
export function Section({ title, explanation, actions, children }: { title: string; explanation?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <Card component="section" aria-label={title} mb="md">
      <Group justify="space-between" align="flex-start" mb="md" gap="sm">
        <div style={{ flex: '1 1 240px', minWidth: 0 }}>
          <Title order={2}>{title}</Title>
          {explanation !== undefined && (
            <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
              {explanation}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Card>
  );
}
