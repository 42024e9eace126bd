import { Anchor, Card, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CopyButton } from '../../components/copy-button';
import { RelativeTime } from '../../components/relative-time';
import { graphql } from '../../gql/documents';
import type { DeliverableContentFragment, DeliverableHeadFragment } from '../../gql/types';
import { bytes } from '../../lib/format';
import { headlineOf } from '../../lib/headline';
import classes from './deliverable.module.css';

graphql(`
  fragment DeliverableContent on DeliverableVersion {
    number
    mimeType
    size
    sha256
    storage
    externalUrl
    metadata
    createdAt
    preview {
      kind
      text
      rows {
        cells
      }
      truncated
    }
  }
`);

/** Where it comes from, and what exactly it is. */
export function Facts({ deliverable, version }: { deliverable: DeliverableHeadFragment; version: DeliverableContentFragment | null }) {
  return (
    <Card component="section" aria-label="About it">
      <Title order={2} size="h3" mb="xs">
        About it
      </Title>
      <dl className={classes.facts}>
        <Fact name="Made by">{deliverable.agent?.name ?? deliverable.createdBy.displayName ?? 'The server'}</Fact>
        {deliverable.stepKey !== null && <Fact name="Step">{deliverable.stepKey}</Fact>}
        {deliverable.checkpoint && (
          <Fact name="Approved at">
            <Anchor component={Link} to={`/checkpoints/${deliverable.checkpoint.id}`} inherit>
              {headlineOf(deliverable.checkpoint.description).headline}
            </Anchor>
          </Fact>
        )}
        <Fact name="Created">
          <RelativeTime at={deliverable.createdAt} />
        </Fact>
        {deliverable.archivedAt !== null && (
          <Fact name="Archived">
            <RelativeTime at={deliverable.archivedAt} />
          </Fact>
        )}
        {version && <Fact name="Media type">{version.mimeType}</Fact>}
        {version && version.size !== null && <Fact name="Size">{bytes(version.size)}</Fact>}
        {version && version.sha256 !== null && (
          <Fact name="SHA-256">
            <Text span inherit ff="monospace" title={version.sha256}>
              {version.sha256.slice(0, 10)}…
            </Text>
            <CopyButton value={version.sha256} what="the SHA-256" />
          </Fact>
        )}
      </dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
