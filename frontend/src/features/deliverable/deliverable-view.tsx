import { Alert, Anchor, Button, Card, Grid, Group, Stack, Text } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { Link } from 'react-router';
import { PageHeader } from '../../components/page-header';
import { StatusBadge } from '../../components/status-badge';
import { graphql } from '../../gql/documents';
import type { DeliverableContentFragment, DeliverableHeadFragment } from '../../gql/types';
import { words } from '../../lib/format';
import { Plain } from '../../lib/plain';
import { Comparison } from './comparison';
import { ContentButtons } from './content-buttons';
import { DeliverableActions } from './deliverable-actions';
import { Facts } from './facts';
import { Preview } from './preview/preview';
import { Versions } from './versions';

graphql(`
  fragment DeliverableHead on Deliverable {
    id
    name
    description
    type
    status
    versionNumber
    createdAt
    updatedAt
    archivedAt
    contentDeletedAt
    stepKey
    createdBy {
      kind
      displayName
    }
    agent {
      id
      name
    }
    checkpoint {
      id
      description
    }
    execution {
      id
      workflow {
        id
        name
      }
    }
    ...DeliverableVersions
  }
`);

interface Props {
  deliverable: DeliverableHeadFragment;
  /** The version that is shown; null if there is none with that number. */
  version: DeliverableContentFragment | null;
  /** Another version to compare it with. */
  compare: number | null;
  onChoose: (changes: Record<string, string | null>) => void;
}

export function DeliverableView({ deliverable, version, compare, onChoose }: Props) {
  const old = version !== null && version.number !== deliverable.versionNumber;
  const comparing = compare !== null && version !== null && compare !== version.number;
  return (
    <>
      <PageHeader
        title={deliverable.name}
        back={{ to: '/deliverables', label: 'Deliverables' }}
        badges={<StatusBadge of="deliverable" status={deliverable.status} />}
        actions={<DeliverableActions deliverable={deliverable} />}
      >
        {words(deliverable.type)} of{' '}
        <Anchor component={Link} to={`/executions/${deliverable.execution.id}`} inherit>
          <Plain>{deliverable.execution.workflow.name}</Plain>
        </Anchor>
        {deliverable.description !== '' && ` · ${deliverable.description}`}
      </PageHeader>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8.5 }}>
          <Stack gap="md">
            {(old || version === null) && (
              <Alert color="yellow" icon={<IconHistory size={20} />} title={version ? `This is version ${version.number}` : 'There is no such version'}>
                <Group gap="sm">
                  <Text size="sm">The newest is version {deliverable.versionNumber}.</Text>
                  <Button size="compact-sm" variant="default" onClick={() => onChoose({ version: null, compare: null })}>
                    Show the newest
                  </Button>
                </Group>
              </Alert>
            )}
            {version && comparing && (
              <Comparison deliverableId={deliverable.id} one={compare} other={version.number} onClose={() => onChoose({ compare: null })} />
            )}
            {version && !comparing && (
              <Card component="section" aria-label="Content">
                <ContentButtons deliverable={deliverable} version={version} />
                <Preview key={`${version.number} ${version.sha256}`} deliverable={deliverable} version={version} />
              </Card>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 3.5 }}>
          <Stack gap="md">
            <Versions deliverable={deliverable} shown={version?.number ?? null} compared={comparing ? compare : null} onChoose={onChoose} />
            <Facts deliverable={deliverable} version={version} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
