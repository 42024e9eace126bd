import { Anchor, Badge, Button, Card, Group, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { RelativeTime } from '../../components/relative-time';
import { graphql } from '../../gql/documents';
import type { DeliverableVersionsFragment } from '../../gql/types';
import { bytes } from '../../lib/format';
import classes from './deliverable.module.css';

graphql(`
  fragment DeliverableVersions on Deliverable {
    id
    versionNumber
    versions(first: 100) {
      totalCount
      nodes {
        number
        size
        createdAt
        createdBy {
          kind
          displayName
        }
      }
    }
  }
`);

interface Props {
  deliverable: DeliverableVersionsFragment;
  shown: number | null;
  compared: number | null;
  onChoose: (changes: Record<string, string | null>) => void;
}

export function Versions({ deliverable, shown, compared, onChoose }: Props) {
  const { nodes, totalCount } = deliverable.versions;
  return (
    <Card component="section" aria-label="Versions">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          Versions
        </Title>
        <Badge color="gray">{totalCount}</Badge>
      </Group>
      <ul className={classes.versions}>
        {nodes.map(({ number, size, createdAt, createdBy }) => (
          <li key={number} className={classes.version} data-shown={number === shown} data-compared={number === compared}>
            <div style={{ minWidth: 0 }}>
              <Anchor
                component={Link}
                to={number === deliverable.versionNumber ? '?' : `?version=${number}`}
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
    </Card>
  );
}
