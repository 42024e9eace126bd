import { Anchor, Badge, Button, Card, Group, Text, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { ErrorState } from '../../components/error-state';
import { LoadMore } from '../../components/load-more';
import { RelativeTime } from '../../components/relative-time';
import { graphql } from '../../gql/documents';
import type { DeliverableVersionListQuery, DeliverableVersionsFragment } from '../../gql/types';
import { bytes } from '../../lib/format';
import { NO_ROWS, numbered } from '../../lib/numbered';
import { useConnection } from '../../lib/use-connection';
import classes from './deliverable.module.css';

graphql(`
  fragment DeliverableVersions on Deliverable {
    id
    versionNumber
    contentDeletedAt
  }
`);

const VERSIONS = graphql(`
  query DeliverableVersionList($id: ID!, $after: String) {
    deliverable(id: $id) {
      id
      versions(first: 50, after: $after) {
        nodes {
          number
          size
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
  }
`);

const select = ({ deliverable }: DeliverableVersionListQuery) => (deliverable ? numbered(deliverable.versions) : NO_ROWS);

interface Props {
  deliverable: DeliverableVersionsFragment;
  shown: number | null;
  compared: number | null;
  onChoose: (changes: Record<string, string | null>) => void;
}

export function Versions({ deliverable, shown, compared, onChoose }: Props) {
  const { id, versionNumber, contentDeletedAt } = deliverable;
  const list = useConnection(VERSIONS, { id }, select);
  const { refresh } = list;
  // The page follows the deliverable's events; the list is another one when there is another version, or no content any more.
  const state = `${versionNumber} ${contentDeletedAt}`;
  const read = useRef(state);
  useEffect(() => {
    if (read.current !== state) void refresh();
    read.current = state;
  }, [refresh, state]);
  return (
    <Card component="section" aria-label="Versions">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          Versions
        </Title>
        {list.totalCount !== null && <Badge color="gray">{list.totalCount}</Badge>}
      </Group>
      <ul className={classes.versions}>
        {list.rows.map(({ number, size, createdAt, createdBy }) => (
          <li key={number} className={classes.version} data-shown={number === shown} data-compared={number === compared}>
            <div style={{ minWidth: 0 }}>
              <Anchor
                component={Link}
                to={number === versionNumber ? '?' : `?version=${number}`}
                size="sm"
                fw={600}
                c="inherit"
                aria-current={number === shown ? 'true' : undefined}
              >
                Version {number}
              </Anchor>
              <Text size="xs" c="dimmed" component="div">
                <RelativeTime at={createdAt} />
                {size !== null && ` · ${bytes(size)}`}
                {createdBy.displayName !== null && ` · ${createdBy.displayName}`}
              </Text>
            </div>
            {number !== shown && shown !== null && (
              <Button
                size="compact-xs"
                style={{ flex: 'none' }}
                variant={number === compared ? 'light' : 'default'}
                aria-pressed={number === compared}
                aria-label={`Compare version ${number} with version ${shown}`}
                onClick={() => onChoose({ compare: number === compared ? null : String(number) })}
              >
                Compare
              </Button>
            )}
          </li>
        ))}
      </ul>
      {list.status === 'failed' && <ErrorState error={list.error} onRetry={() => void refresh()} />}
      <LoadMore list={list}>Show older versions</LoadMore>
    </Card>
  );
}
