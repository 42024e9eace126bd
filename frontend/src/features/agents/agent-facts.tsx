import { Badge, Group, Text, Title } from '@mantine/core';
import { JsonView } from '../../components/json-view';
import { RelativeTime } from '../../components/relative-time';
import { RiskBadge } from '../../components/risk-badge';
import type { AgentDetailFragment } from '../../gql/types';
import { Plain } from '../../lib/plain';
import { KINDS } from './model/kinds';

/** What an agent is, how it is set up, and what it takes and gives. */
export function AgentFacts({ agent }: { agent: AgentDetailFragment }) {
  return (
    <>
      <div>
        <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
          <Plain>{agent.name}</Plain>
        </Title>
        <Text size="sm" c="dimmed">
          {agent.description === '' ? 'Nobody has described it.' : agent.description}
        </Text>
      </div>
      <Group gap="xs">
        <Badge color="gray">{KINDS[agent.kind]?.label ?? agent.kind}</Badge>
        <RiskBadge level={agent.riskLevel} />
        {agent.operationType && <Badge color="blue">{agent.operationType}</Badge>}
        {agent.archivedAt && <Badge color="gray">Archived</Badge>}
        <Text size="xs" c="dimmed" component="span">
          Version {agent.version}, changed <RelativeTime at={agent.updatedAt} />
        </Text>
      </Group>
      <Value title="Set-up" value={agent.config} name={`config of ${agent.name}`} />
      <Value title="Takes" value={agent.inputSchema} name={`input schema of ${agent.name}`} />
      <Value title="Gives" value={agent.outputSchema} name={`output schema of ${agent.name}`} />
    </>
  );
}

function Value({ title, value, name }: { title: string; value: unknown; name: string }) {
  return (
    <section aria-label={title}>
      <Title order={3} size="sm" mb={4}>
        {title}
      </Title>
      {value === null || value === undefined ? <Text size="sm" c="dimmed">Anything: there is no schema.</Text> : <JsonView value={value} name={name} maxHeight={280} />}
    </section>
  );
}
