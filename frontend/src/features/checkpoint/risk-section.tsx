import { List, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfidenceBar } from '../../components/confidence-bar';
import { Money } from '../../components/money';
import { RiskBadge } from '../../components/risk-badge';
import type { RiskLevel } from '../../gql/enums';
import { CodeText } from '../../lib/code-text';
import { sentence } from '../../lib/errors';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

const MEANS: Record<RiskLevel, string> = {
  LOW: 'It can do little harm.',
  MEDIUM: 'It can do some harm, which can be put right.',
  HIGH: 'It can do harm that is hard to put right.',
  CRITICAL: 'It can do great harm that nobody can put right.',
};

/** How sure the agent is, and how much harm it can do. */
export function RiskSection({ checkpoint: { proposal, reasons } }: { checkpoint: Checkpoint }) {
  const about = reasons.filter(({ condition }) => condition === 'risk_level' || condition === 'agent_confidence' || condition === 'confidence');
  return (
    <Section title="Confidence and risk">
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="lg">
        <Figure label="Confidence">
          <ConfidenceBar value={proposal.confidence} width={110} />
        </Figure>
        <Figure label="Risk">
          <RiskBadge level={proposal.riskLevel} />
        </Figure>
        <Figure label="Estimated cost">
          <Text size="sm" fw={600} component="div">
            <Money micros={proposal.estimatedCostMicros} />
          </Text>
        </Figure>
      </SimpleGrid>
      <Stack gap={4} mt="sm">
        <Text size="sm">{MEANS[proposal.riskLevel] ?? ''}</Text>
        {about.length > 0 && (
          <List size="sm">
            {about.map(({ message }) => (
              <List.Item key={message}><CodeText>{sentence(message)}</CodeText></List.Item>
            ))}
          </List>
        )}
      </Stack>
    </Section>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {label}
      </Text>
      {children}
    </div>
  );
}
