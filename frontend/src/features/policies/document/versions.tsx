import { Button, Card, Grid, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { CodeEditor } from '../../../components/code-editor/code-editor';
import { EmptyState } from '../../../components/empty-state';
import { ErrorState } from '../../../components/error-state';
import { PageSkeleton } from '../../../components/page-skeleton';
import { RelativeTime } from '../../../components/relative-time';
import { TextDiff } from '../../../components/text-diff';
import { graphql } from '../../../gql/documents';
import type { PolicyInForceFragment, PolicyVersionsQuery } from '../../../gql/types';
import { toApiError } from '../../../lib/send-exchange';
import { useViewer } from '../../../lib/use-viewer';
import { RestoreButton } from './restore-button';

const VERSIONS = graphql(`
  query PolicyVersions {
    policyVersions(first: 50) {
      totalCount
      nodes {
        number
        document
        origin
        createdAt
        createdBy {
          kind
          displayName
        }
      }
    }
  }
`);

type Version = PolicyVersionsQuery['policyVersions']['nodes'][number];

/** Each version, and what it changed. */
export function Versions({ policy, onRestored }: { policy: PolicyInForceFragment; onRestored: () => void }) {
  const [{ data, error }, ask] = useQuery({ query: VERSIONS });
  const { can } = useViewer();
  const [chosen, setChosen] = useState<number | null>(null);
  if (!data) return error ? <ErrorState error={toApiError(error)} onRetry={() => ask()} /> : <PageSkeleton />;
  const { nodes } = data.policyVersions;
  const index = Math.max(nodes.findIndex(({ number }) => number === chosen), 0);
  const version = nodes[index];
  if (!version) {
    return <EmptyState title="The built-in policy is in force">Change the document and save it, and its first version is kept here.</EmptyState>;
  }
  const before = nodes[index + 1];
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack gap={4} component="nav" aria-label="Versions of the policy">
          {nodes.map((one) => (
            <Choice key={one.number} version={one} current={one.number === version.number} inForce={one.number === policy.version} onChoose={() => setChosen(one.number)} />
          ))}
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Card component="section" aria-label={`Version ${version.number}`}>
          <Group justify="space-between" mb="sm">
            <Text fw={600}>{before ? `What version ${version.number} changed` : `Version ${version.number}, the first`}</Text>
            {can('ADMIN') && version.number !== policy.version && <RestoreButton number={version.number} base={policy.version} onRestored={onRestored} />}
          </Group>
          {before ? (
            <TextDiff before={before.document} after={version.document} label={`Changes of version ${version.number}`} />
          ) : (
            <CodeEditor key={version.number} label={`Version ${version.number}`} language="yaml" value={version.document} readOnly />
          )}
        </Card>
      </Grid.Col>
    </Grid>
  );
}

function Choice({ version, current, inForce, onChoose }: { version: Version; current: boolean; inForce: boolean; onChoose: () => void }) {
  return (
    <Button variant={current ? 'light' : 'subtle'} color={current ? 'brand' : 'gray'} justify="flex-start" h="auto" py="xs" onClick={onChoose} aria-current={current}>
      <Stack gap={0} align="flex-start">
        <Text size="sm" fw={600}>
          Version {version.number}
          {inForce && ' · in force'}
        </Text>
        <Text size="xs" c="dimmed" fw={400}>
          <RelativeTime at={version.createdAt} /> · {version.origin === 'FILE' ? 'a file' : (version.createdBy.displayName ?? 'the server')}
        </Text>
      </Stack>
    </Button>
  );
}
