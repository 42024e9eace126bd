import { Button, Card, Grid, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CodeEditor } from '../../../components/code-editor/code-editor';
import { EmptyState } from '../../../components/empty-state';
import { ErrorState } from '../../../components/error-state';
import { LoadMore } from '../../../components/load-more';
import { PageSkeleton } from '../../../components/page-skeleton';
import { RelativeTime } from '../../../components/relative-time';
import { TextDiff } from '../../../components/text-diff';
import { graphql } from '../../../gql/documents';
import type { PolicyInForceFragment, PolicyVersionsQuery } from '../../../gql/types';
import { numbered } from '../../../lib/numbered';
import { useConnection } from '../../../lib/use-connection';
import { useViewer } from '../../../lib/use-viewer';
import { RestoreButton } from './restore-button';

const VERSIONS = graphql(`
  query PolicyVersions($after: String) {
    policyVersions(first: 50, after: $after) {
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
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

type Version = PolicyVersionsQuery['policyVersions']['nodes'][number];

const select = (data: PolicyVersionsQuery) => numbered(data.policyVersions);

/** Each version, and what it changed. */
export function Versions({ policy, onRestored }: { policy: PolicyInForceFragment; onRestored: () => void }) {
  const list = useConnection(VERSIONS, {}, select);
  const { can } = useViewer();
  const [chosen, setChosen] = useState<number | null>(null);
  const { rows, hasMore, loadMore } = list;
  const index = Math.max(rows.findIndex(({ number }) => number === chosen), 0);
  const version = rows[index];
  const before = rows[index + 1];
  // What the oldest one in sight changed can only be said beside the one before it.
  const incomplete = version !== undefined && before === undefined && hasMore;
  useEffect(() => {
    if (incomplete) void loadMore();
  }, [incomplete, loadMore]);
  if (list.status === 'loading') return <PageSkeleton />;
  if (list.status === 'failed') return <ErrorState error={list.error} onRetry={() => void list.refresh()} />;
  if (!version) {
    return <EmptyState title="The built-in policy is in force">Change the document and save it, and its first version is kept here.</EmptyState>;
  }
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack gap={4} component="nav" aria-label="Versions of the policy">
          {rows.map((one) => (
            <Choice key={one.number} version={one} current={one.number === version.number} inForce={one.number === policy.version} onChoose={() => setChosen(one.number)} />
          ))}
          <LoadMore list={list}>Show older versions</LoadMore>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Card component="section" aria-label={`Version ${version.number}`}>
          <Group justify="space-between" mb="sm">
            <Text fw={600}>{before || incomplete ? `What version ${version.number} changed` : `Version ${version.number}, the first`}</Text>
            {can('ADMIN') && version.number !== policy.version && <RestoreButton number={version.number} base={policy.version} onRestored={onRestored} />}
          </Group>
          {incomplete && <Skeleton height={120} radius="md" />}
          {before && (
            <TextDiff before={before.document} after={version.document} label={`Changes of version ${version.number}`} />
          )}
          {!before && !incomplete && (
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
