import { Alert, Anchor, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CopyButton } from '../../components/copy-button';
import { FieldDiff } from '../../components/field-diff';
import { JsonView } from '../../components/json-view';
import { fieldDifferences } from '../../components/model/field-diff';
import { graphql } from '../../gql/documents';
import type { AuditEntryDetailsFragment } from '../../gql/types';
import { exactTime } from '../../lib/format';
import { Plain } from '../../lib/plain';
import classes from './audit.module.css';
import { subjectLink } from './model/subject';

graphql(`
  fragment AuditEntryDetails on AuditEntry {
    ...AuditRow
    actorEmail
    userAgent
    digest
    details
    before
    after
    proposed
    approved
    erased
    hash
    previousHash
    person {
      id
      displayName
    }
  }
`);

export function EntryDetails({ entry }: { entry: AuditEntryDetailsFragment }) {
  const link = subjectLink(entry.subjectId);
  const changes = entry.before === null && entry.after === null ? [] : fieldDifferences(entry.before ?? undefined, entry.after ?? undefined);
  const hasDetails = typeof entry.details === 'object' && entry.details !== null && Object.keys(entry.details).length > 0;
  return (
    <Stack gap="lg">
      {entry.erased.length > 0 && <Alert color="gray" title="Personal parts of this entry were erased">{entry.erased.join(', ')}</Alert>}
      <dl className={classes.facts}>
        <Fact name="When">{exactTime(Date.parse(entry.at))}</Fact>
        <Fact name="Who">
          {entry.actorName ?? entry.actor.displayName ?? 'The server'}
          {entry.actorEmail !== null && ` (${entry.actorEmail})`}
        </Fact>
        {entry.actor.kind === 'API_TOKEN' && entry.person && <Fact name="Token of"><Plain>{entry.person.displayName}</Plain></Fact>}
        {entry.onBehalfOf && <Fact name="In place of"><Plain>{entry.onBehalfOf.displayName}</Plain></Fact>}
        {entry.address !== null && <Fact name="From">{[entry.address, entry.userAgent].filter(Boolean).join(' · ')}</Fact>}
        {entry.subjectId !== null && <Fact name="About">{link === null ? entry.subjectId : <Anchor component={Link} to={link} inherit>{entry.subjectId}</Anchor>}</Fact>}
        {entry.execution && <Fact name="Execution"><Anchor component={Link} to={`/executions/${entry.execution.id}`} inherit>{entry.execution.id}</Anchor></Fact>}
        {entry.digest !== null && <Fact name="Saw the digest"><Hash value={entry.digest} what="the digest" /></Fact>}
      </dl>
      {changes.length > 0 && (
        <section aria-label="What changed">
          <Title order={3} mb="xs">What changed</Title>
          <FieldDiff changes={changes} />
        </section>
      )}
      {entry.proposed !== null && (
        <section aria-label="What was proposed">
          <Title order={3} mb="xs">What was proposed</Title>
          <JsonView value={entry.proposed} name={`the proposal of entry ${entry.sequence}`} maxHeight={280} />
        </section>
      )}
      {entry.approved !== null && (
        <section aria-label="What was approved">
          <Title order={3} mb="xs">What was approved</Title>
          <JsonView value={entry.approved} name={`the approval of entry ${entry.sequence}`} maxHeight={280} />
        </section>
      )}
      {hasDetails && (
        <section aria-label="Details">
          <Title order={3} mb="xs">Details</Title>
          <JsonView value={entry.details} name={`entry ${entry.sequence}`} maxHeight={280} />
        </section>
      )}
      <section aria-label="Place in the chain">
        <Title order={3} mb="xs">Place in the chain</Title>
        <dl className={classes.facts}>
          <Fact name="Hash"><Hash value={entry.hash} what="the hash" /></Fact>
          <Fact name="Follows"><Hash value={entry.previousHash} what="the hash before" /></Fact>
        </dl>
      </section>
    </Stack>
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

function Hash({ value, what }: { value: string; what: string }) {
  return (
    <>
      <Text span inherit ff="monospace" title={value}>
        {value.slice(0, 20)}…
      </Text>
      <CopyButton value={value} what={what} />
    </>
  );
}
