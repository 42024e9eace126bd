import { Badge, Group, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { ErrorState } from '../../components/error-state';
import { FieldDiff } from '../../components/field-diff';
import { RelativeTime } from '../../components/relative-time';
import { graphql } from '../../gql/documents';
import { Plain } from '../../lib/plain';
import { toApiError } from '../../lib/send-exchange';
import { asDifferences } from './model/changes';
import { doerName } from './model/people';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

const DIFFERENCE = graphql(`
  query CheckpointDifference($id: ID!, $from: Int!, $to: Int!) {
    checkpoint(id: $id) {
      id
      difference(from: $from, to: $to) {
        path
        before
        after
      }
    }
  }
`);

const CAUSES = { AGENT_UPDATED: 'a newer version of the agent', ANSWERED: 'a question was answered', MODIFIED: 'other parameters', REVISED: 'proposed anew', SELECTED: 'some of the items were chosen' } as const;

/** Everything that was proposed, and what changed each time. */
export function Revisions({ checkpoint: { id, revisions } }: { checkpoint: Checkpoint }) {
  const [opened, setOpened] = useState<number | null>(null);
  if (revisions.length < 2) return null;
  return (
    <Section title="Revisions">
      <Stack gap="xs">
        {revisions.toReversed().map(({ number, at, by, cause }) => (
          <div key={number}>
            <UnstyledButton disabled={number === 1} aria-expanded={number === 1 ? undefined : opened === number} onClick={() => setOpened(opened === number ? null : number)} w="100%" py={6}>
              <Group gap="xs">
                {number === 1 ? null : opened === number ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
                <Badge color={number === revisions.length ? 'brand' : 'gray'}>Revision {number}</Badge>
                <Text size="sm" component="span">
                  <Plain>{doerName(by)}</Plain>
                  {cause && `: ${CAUSES[cause] ?? ''}`}
                </Text>
                <Text size="xs" c="dimmed" component="span">
                  <RelativeTime at={at} />
                </Text>
              </Group>
            </UnstyledButton>
            {opened === number && <Difference id={id} to={number} />}
          </div>
        ))}
      </Stack>
    </Section>
  );
}

function Difference({ id, to }: { id: string; to: number }) {
  const [{ data, error }, ask] = useQuery({ query: DIFFERENCE, variables: { id, from: to - 1, to }, requestPolicy: 'cache-first' });
  if (error) return <ErrorState error={toApiError(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />;
  if (!data?.checkpoint) return <Skeleton height={80} />;
  return <FieldDiff changes={asDifferences(data.checkpoint.difference)} before={`Revision ${to - 1}`} after={`Revision ${to}`} />;
}
