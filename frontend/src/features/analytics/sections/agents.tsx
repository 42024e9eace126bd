import { Card, Text, Title } from '@mantine/core';
import { graphql } from '../../../gql/documents';
import type { AgentFiguresRowFragment } from '../../../gql/types';
import { count, credits, duration, percent, words } from '../../../lib/format';
import { Chart } from '../chart';
import { FigureTable } from '../figure-table';

graphql(`
  fragment AgentFiguresRow on AgentFigures {
    agent {
      id
      name
    }
    attempts
    completed
    errors
    retried
    cancelled
    errorRate
    errorsByCode {
      code
      count
    }
    duration {
      ...DurationParts
    }
    usage {
      llmCalls
      tokens
      costMicros
    }
  }
`);

const SERIES = [
  { name: 'Completed', color: 'brand.7' },
  { name: 'Failed', color: 'red.5' },
];

const time = (seconds: number | null) => (seconds === null ? '–' : duration(seconds));

/** How agents did their work: each attempt of a step counts. */
export function AgentFigures({ agents }: { agents: readonly AgentFiguresRowFragment[] }) {
  const rows = agents.slice(0, 12).map(({ agent, completed, errors }) => ({ label: agent?.name ?? 'No agent', Completed: completed, Failed: errors }));
  return (
    <Card component="section" aria-label="Agents">
      <Title order={2} mb="sm">
        Errors and durations by agent
      </Title>
      <Chart title="Attempts by agent" empty="No agent worked in this time." rows={rows} series={SERIES} kind="pile" format={count} counted sideways />
      {agents.length > 0 && (
        <FigureTable
          label="Figures of each agent"
          columns={['Agent', 'Attempts', 'Failed', 'Error rate', 'Errors', 'P50', 'P95', 'P99', 'Cost', 'Tokens']}
          rows={agents.map((one, index) => ({
            key: one.agent?.id ?? `${index}`,
            cells: [
              one.agent?.name ?? 'No agent',
              count(one.attempts),
              count(one.errors),
              one.errorRate === null ? '–' : percent(one.errorRate),
              <Text key="codes" span inherit c="dimmed">
                {one.errorsByCode.map(({ code, count: number }) => `${words(code)} ${number}`).join(', ') || '–'}
              </Text>,
              time(one.duration.p50),
              time(one.duration.p95),
              time(one.duration.p99),
              credits(one.usage.costMicros),
              count(one.usage.tokens),
            ],
          }))}
        />
      )}
    </Card>
  );
}
