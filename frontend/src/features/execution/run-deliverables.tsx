import { Anchor, Box, Button, Group, Text } from '@mantine/core';
import { IconFileZip } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useClient } from 'urql';
import { StatusBadge } from '../../components/status-badge';
import { graphql } from '../../gql/documents';
import type { RunDeliverableFragment } from '../../gql/types';
import { describe } from '../../lib/errors';
import { words } from '../../lib/format';
import { showFailure } from '../../lib/notify';
import { toApiError } from '../../lib/send-exchange';
import { useAction } from '../../lib/use-action';
import { AsideCard } from './aside-card';

graphql(`
  fragment RunDeliverable on Deliverable {
    id
    name
    type
    status
    versionNumber
  }
`);

const ZIP = graphql(`
  query RunZip($id: ID!) {
    execution(id: $id) {
      id
      deliverablesZipUrl
    }
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
    <AsideCard title="Deliverables" none="Nothing has been handed in so far." action={nodes.length > 0 && <Zip id={id} />}>
      {[
        ...nodes.map((deliverable) => (
          <Box key={deliverable.id} py={6}>
            <Anchor component={Link} to={`/deliverables/${deliverable.id}`} size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {deliverable.name}
            </Anchor>
            <Group gap="xs" mt={4} justify="space-between">
              <StatusBadge of="deliverable" status={deliverable.status} />
              <Text size="xs" c="dimmed">
                {words(deliverable.type)} · version {deliverable.versionNumber}
              </Text>
            </Group>
          </Box>
        )),
        ...(rest > 0 ? [<Text key="rest" size="xs" c="dimmed">and {rest} more, all in the ZIP</Text>] : []),
      ]}
    </AsideCard>
  );
}

/** The link works for some minutes only, so it is made at the click. */
function Zip({ id }: { id: string }) {
  const client = useClient();
  const { pending, run } = useAction(async () => {
    const { data, error } = await client.query(ZIP, { id }, { requestPolicy: 'network-only' }).toPromise();
    if (data?.execution) location.assign(data.execution.deliverablesZipUrl);
    else showFailure(describe(error && toApiError(error)));
  });
  return (
    <Button size="compact-xs" variant="subtle" leftSection={<IconFileZip size={14} />} loading={pending} onClick={() => void run()}>
      ZIP
    </Button>
  );
}
