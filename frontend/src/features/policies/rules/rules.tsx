import { Badge, Card, Group, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { EmptyState } from '../../../components/empty-state';
import { RelativeTime } from '../../../components/relative-time';
import type { PolicyInForceFragment } from '../../../gql/types';
import { percent } from '../../../lib/format';
import { Plain } from '../../../lib/plain';

type Rule = PolicyInForceFragment['autoApprovalRules'][number];

/** The rules that approve in place of people, and how often people agreed with each. */
export function Rules({ rules }: { rules: readonly Rule[] }) {
  if (rules.length === 0) {
    return (
      <EmptyState title="No rule approves in place of people" icon={IconRobot} action={{ label: 'See what people always approve', to: '?tab=suggestions' }}>
        Add one to <code>auto_approval</code> in the document. With <code>mode: shadow</code> it only says what it would do.
      </EmptyState>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
      {rules.map((rule) => (
        <RuleCard key={rule.name} rule={rule} />
      ))}
    </SimpleGrid>
  );
}

function RuleCard({ rule }: { rule: Rule }) {
  const live = rule.enabled && rule.mode === 'LIVE';
  return (
    <Card component="section" aria-label={rule.name}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={3}><Plain>{rule.name}</Plain></Title>
          <Badge color={live ? 'brand' : 'gray'}>{!rule.enabled ? 'Switched off' : live ? 'Approves' : 'In the shadow'}</Badge>
        </Group>
        <div>
          <Group justify="space-between" mb={4}>
            <Text size="sm">{rule.agreement === null ? 'Nobody has decided yet' : `People agreed in ${rule.agreed} of ${rule.decisions}`}</Text>
            {rule.agreement !== null && (
              <Text size="sm" fw={600}>
                {percent(rule.agreement)}
              </Text>
            )}
          </Group>
          <Progress value={(rule.agreement ?? 0) * 100} color={rule.agreement !== null && rule.agreement < 0.9 ? 'orange' : 'brand'} aria-label={`Agreement with ${rule.name}`} />
        </div>
        <Text size="xs" c="dimmed" component="div">
          {rule.mode !== rule.declaredMode && rule.earnedAt !== null && (
            <div>
              The document says {rule.declaredMode === 'LIVE' ? 'live' : 'shadow'}; it {rule.mode === 'LIVE' ? 'earned' : 'lost'} the right to approve{' '}
              <RelativeTime at={rule.earnedAt} />.
            </div>
          )}
          {live ? (
            <div>{rule.demoteBelow ? `Stops approving below ${percent(rule.demoteBelow.agreement)} of ${rule.demoteBelow.over} decisions.` : 'Goes on until the document says something else.'}</div>
          ) : (
            <div>{rule.promoteAt ? `Begins to approve at ${percent(rule.promoteAt.agreement)} of ${rule.promoteAt.over} decisions.` : 'Never begins to approve by itself.'}</div>
          )}
        </Text>
      </Stack>
    </Card>
  );
}
