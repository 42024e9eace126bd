import { Anchor, Badge, Group, List, Progress, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { FieldDiff } from '../../components/field-diff';
import { RelativeTime } from '../../components/relative-time';
import { CodeText } from '../../lib/code-text';
import { sentence } from '../../lib/errors';
import { words } from '../../lib/format';
import { headlineOf } from '../../lib/headline';
import { Plain } from '../../lib/plain';
import { asDifferences } from './model/changes';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

/** How people decided similar ones before. */
export function Insight({ checkpoint: { insight, proposal } }: { checkpoint: Checkpoint }) {
  const { decided, approved, modified, rejected, sentences, cases } = insight;
  if (decided === 0) {
    return (
      <Section title="How people decided before">
        <Text size="sm" c="dimmed">
          Nobody has decided on “<Plain isKey>{proposal.operationType}</Plain>” yet.
        </Text>
      </Section>
    );
  }
  const share = (part: number) => (part / decided) * 100;
  return (
    <Section title="How people decided before" aside={<Text size="sm" c="dimmed">The last {decided} of “<Plain isKey>{proposal.operationType}</Plain>”</Text>}>
      <Progress.Root size={10} aria-hidden>
        <Progress.Section value={share(approved)} color="brand" />
        <Progress.Section value={share(modified)} color="yellow" />
        <Progress.Section value={share(rejected)} color="red" />
      </Progress.Root>
      <Group gap="lg" mt={8}>
        <Legend color="brand" label={`${approved} approved as they were`} />
        <Legend color="yellow" label={`${modified} with changes`} />
        <Legend color="red" label={`${rejected} rejected`} />
      </Group>
      {sentences.length > 0 && (
        <List size="sm" mt="sm">
          {sentences.map((one) => (
            <List.Item key={one}><CodeText>{sentence(one)}</CodeText></List.Item>
          ))}
        </List>
      )}
      {cases.length > 0 && (
        <Stack gap="xs" mt="sm" component="details">
          <Text size="sm" component="summary" style={{ cursor: 'pointer' }}>
            The latest in which people wanted something else ({cases.length})
          </Text>
          {cases.map((one) => (
            <div key={one.id}>
              <Group gap="xs" mt="xs">
                <Badge color={one.kind === 'REJECTED' ? 'red' : 'yellow'}>{words(one.kind)}</Badge>
                <Anchor component={Link} to={`/checkpoints/${one.checkpoint.id}`} size="sm">
                  <Plain>{headlineOf(one.checkpoint.description).headline}</Plain>
                </Anchor>
                <Text size="xs" c="dimmed" component="span">
                  <Plain>{one.decidedBy?.displayName ?? ''}</Plain> <RelativeTime at={one.at} />
                </Text>
              </Group>
              {one.reason !== null && <Text size="sm">“<Plain>{one.reason}</Plain>”</Text>}
              {one.changes.length > 0 && <FieldDiff changes={asDifferences(one.changes).slice(0, 10)} before="Proposed" after="Approved" />}
            </div>
          ))}
        </Stack>
      )}
    </Section>
  );
}

function Legend({ color, label }: { color: string; label: string }) {
  return (
    <Group gap={6}>
      <span aria-hidden style={{ width: 10, height: 10, borderRadius: 3, background: `var(--mantine-color-${color}-filled)` }} />
      <Text size="sm">{label}</Text>
    </Group>
  );
}
