import { Card, Group, SegmentedControl, Title } from '@mantine/core';
import { graphql } from '../../../gql/documents';
import type { DecisionBreakdownFragment } from '../../../gql/types';
import { duration, words } from '../../../lib/format';
import { Chart } from '../chart';
import { linesOf } from '../model/breakdown';
import { BREAKDOWNS, type Breakdown } from '../model/filters';
import { percentileRows } from '../model/rows';
import { BreakdownTable } from './breakdown-table';

graphql(`
  fragment DecisionBreakdown on CheckpointAnalytics {
    byWorkflow(first: 100) {
      workflow {
        id
        name
      }
      figures {
        ...CheckpointFigureParts
      }
    }
    byRule(first: 100) {
      rule
      figures {
        ...CheckpointFigureParts
      }
    }
    byPerson(first: 100) @include(if: $people) {
      displayName
      user {
        id
      }
      figures {
        ...DecisionFigureParts
      }
    }
    byGroup(first: 100) @include(if: $people) {
      group {
        id
        name
      }
      figures {
        ...DecisionFigureParts
      }
    }
  }
`);

const PERCENTILES = [
  { name: 'P50', color: 'brand.7' },
  { name: 'P95', color: 'blue.4' },
  { name: 'P99', color: 'gray.5' },
];

interface Props {
  figures: DecisionBreakdownFragment;
  by: Breakdown;
  /** Figures of people are for those who are measured, and administrators. */
  people: boolean;
  onBy: (by: Breakdown) => void;
}

/** How long decisions take, and who or what they belong to. */
export function BreakdownCard({ figures, by, people, onBy }: Props) {
  const possible = BREAKDOWNS.filter((one) => people || one === 'workflow' || one === 'rule');
  const chosen = possible.includes(by) ? by : 'workflow';
  const lines = linesOf(figures, chosen);
  return (
    <Card component="section" aria-label="Time to decision">
      <Group justify="space-between" mb="sm">
        <Title order={2}>Time to decision</Title>
        <SegmentedControl
          size="xs"
          aria-label="By"
          value={chosen}
          onChange={(next) => onBy(next as Breakdown)}
          data={possible.map((one) => ({ value: one, label: words(one) }))}
        />
      </Group>
      <Chart
        title={`Time to decision by ${chosen}`}
        empty="Nobody decided anything in this time."
        rows={percentileRows(lines.slice(0, 12).map(({ name, timeToDecision }) => ({ name, figures: timeToDecision })))}
        series={PERCENTILES}
        kind="groups"
        format={duration}
        seconds
      />
      {lines.length > 0 && <BreakdownTable by={chosen} lines={lines} />}
    </Card>
  );
}
