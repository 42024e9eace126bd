import { Anchor, Box, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { StatusBadge } from '../../components/status-badge';
import { ZipButton } from '../../components/zip-button';
import { graphql } from '../../gql/documents';
import type { RunDeliverableFragment } from '../../gql/types';
import { words } from '../../lib/format';
import { Plain } from '../../lib/plain';
import { AsideCard, More } from './aside-card';

graphql(`
  fragment RunDeliverable on Deliverable {
    id
    name
    type
    status
    versionNumber
  }
`);

interface Props {
  id: string;
  deliverables: { readonly totalCount: number; readonly nodes: readonly RunDeliverableFragment[] };
}

/** What it left behind. */
export function RunDeliverables({ id, deliverables: { nodes, totalCount } }: Props) {
  const rest = totalCount - nodes.length;
  return (
    <AsideCard title="Deliverables" none="Nothing has been handed in so far." action={nodes.length > 0 && <ZipButton executionId={id} size="compact-xs" variant="subtle" />}>
      {[
        ...nodes.map((deliverable) => (
          <Box key={deliverable.id} py={6}>
            <Anchor component={Link} to={`/deliverables/${deliverable.id}`} size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              <Plain>{deliverable.name}</Plain>
            </Anchor>
            <Group gap="xs" mt={4} justify="space-between">
              <StatusBadge of="deliverable" status={deliverable.status} />
              <Text size="xs" c="dimmed">
                {words(deliverable.type)} · version {deliverable.versionNumber}
              </Text>
            </Group>
          </Box>
        )),
        ...(rest > 0 ? [<More key="rest" to={`/deliverables?execution=${id}`}>{`and ${rest} more`}</More>] : []),
      ]}
    </AsideCard>
  );
}
