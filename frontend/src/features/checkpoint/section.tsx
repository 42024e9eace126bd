import { Card, Group, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';

interface Props {
  title: string;
  children: ReactNode;
  /** Beside the title, at the right. */
  aside?: ReactNode;
}

export function Section({ title, children, aside }: Props) {
  const id = useId();
  return (
    <Card component="section" aria-labelledby={id} padding="lg">
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {aside}
      </Group>
      {children}
    </Card>
  );
}
