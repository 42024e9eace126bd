import { Group, SegmentedControl, Select, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { ErrorState } from '../../components/error-state';
import { FieldDiff } from '../../components/field-diff';
import { TextDiff } from '../../components/text-diff';
import { graphql } from '../../gql/documents';
import { toApiError } from '../../lib/send-exchange';
import { textOf } from './model/document';

const COMPARE = graphql(`
  query CompareWorkflowVersions($id: ID!, $from: Int!, $to: Int!) {
    compareWorkflowVersions(workflowId: $id, from: $from, to: $to) {
      kind
      path
      before
      after
    }
    node(id: $id) {
      id
      ... on Workflow {
        earlier: version(number: $from) {
          number
          definition
        }
        later: version(number: $to) {
          number
          definition
        }
      }
    }
  }
`);

/** What differs between a version and an earlier one: field by field, or as a text. */
export function VersionDiff({ workflowId, to }: { workflowId: string; to: number }) {
  const [from, setFrom] = useState(to - 1);
  const [view, setView] = useState('fields');
  const [{ data, error }, ask] = useQuery({ query: COMPARE, variables: { id: workflowId, from, to } });
  const earlier = Array.from({ length: to - 1 }, (_, index) => String(to - 1 - index));
  const texts = data?.node && 'earlier' in data.node && data.node.earlier && data.node.later ? data.node : null;
  return (
    <div style={{ marginTop: 12 }}>
      <Group justify="space-between" mb="sm">
        <Select size="xs" w={210} aria-label="Compare with" data={earlier.map((value) => ({ value, label: `Compared with version ${value}` }))} value={String(from)} onChange={(value) => setFrom(Number(value ?? to - 1))} allowDeselect={false} />
        <SegmentedControl size="xs" value={view} onChange={setView} data={[{ value: 'fields', label: 'Fields' }, { value: 'text', label: 'Text' }]} aria-label="How the difference is shown" />
      </Group>
      {error && <ErrorState error={toApiError(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
      {!data && !error && <Skeleton height={120} radius="md" />}
      {data && view === 'fields' && (
        <FieldDiff
          before={`Version ${from}`}
          after={`Version ${to}`}
          changes={data.compareWorkflowVersions.map(({ kind, path, before, after }) => ({
            path,
            before: kind === 'ADDED' ? undefined : before,
            after: kind === 'REMOVED' ? undefined : after,
          }))}
        />
      )}
      {texts && view === 'text' && (
        <TextDiff before={textOf(texts.earlier?.definition, 'yaml')} after={textOf(texts.later?.definition, 'yaml')} label={`Difference between the versions ${from} and ${to}`} />
      )}
    </div>
  );
}
