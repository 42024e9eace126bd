import { Anchor, Box, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { RelativeTime } from '../../components/relative-time';
import { StatusBadge } from '../../components/status-badge';
import { graphql } from '../../gql/documents';
import type { RunCheckpointFragment } from '../../gql/types';
import { headlineOf } from '../../lib/headline';
import { AsideCard } from './aside-card';

graphql(`
  fragment RunCheckpoint on Checkpoint {
    id
    status
    description
    stepKey
    requestedAt
  }
`);

/** Where it waits for people, or did. */
export function RunCheckpoints({ checkpoints }: { checkpoints: readonly RunCheckpointFragment[] }) {
  return (
    <AsideCard title="Checkpoints" none="Nobody has been asked so far.">
      {checkpoints.map((checkpoint) => (
        <Box key={checkpoint.id} py={6}>
          <Anchor component={Link} to={`/checkpoints/${checkpoint.id}`} size="sm" fw={600} lineClamp={2}>
            {headlineOf(checkpoint.description).headline}
          </Anchor>
          <Group gap="xs" mt={4} justify="space-between">
            <StatusBadge of="checkpoint" status={checkpoint.status} />
            <Text size="xs" c="dimmed" component="span">
              <RelativeTime at={checkpoint.requestedAt} />
            </Text>
          </Group>
        </Box>
      ))}
    </AsideCard>
  );
}
