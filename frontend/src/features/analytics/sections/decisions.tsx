import { Card, Title } from '@mantine/core';
import { graphql } from '../../../gql/documents';
import type { TimeBucket } from '../../../gql/enums';
import type { DecisionFiguresOverTimeFragment } from '../../../gql/types';
import { count } from '../../../lib/format';
import { Chart } from '../chart';
import type { Breakdown } from '../model/filters';
import { decisionRows } from '../model/rows';
import { BreakdownCard } from './breakdown';

graphql(`
  fragment DurationParts on DurationFigures {
    count
    mean
    p50
    p95
    p99
  }
`);

graphql(`
  fragment OutcomeParts on CheckpointOutcomes {
    asked
    approved
    modified
    rejected
    timedOut
    answered
    cancelled
    autoApproved
    overridden
  }
`);

graphql(`
  fragment DecisionFiguresOverTime on CheckpointAnalytics {
    totals {
      outcomes {
        ...OutcomeParts
        approvalRate
        autoApprovalRate
      }
      timeToDecision {
        ...DurationParts
      }
      timeWaited {
        ...DurationParts
      }
    }
    series {
      from
      outcomes {
        ...OutcomeParts
      }
    }
    ...DecisionBreakdown
  }
`);

const SERIES = [
  { name: 'Approved by a rule', color: 'brand.3' },
  { name: 'Approved', color: 'brand.7' },
  { name: 'Modified', color: 'blue.5' },
  { name: 'Rejected', color: 'red.5' },
  { name: 'Timed out', color: 'yellow.4' },
];

interface Props {
  figures: DecisionFiguresOverTimeFragment;
  axis: { bucket: TimeBucket; timeZone: string };
  by: Breakdown;
  people: boolean;
  onBy: (by: Breakdown) => void;
}

export function Decisions({ figures, axis, by, people, onBy }: Props) {
  return (
    <>
      <Card component="section" aria-label="Decisions">
        <Title order={2} mb="sm">
          Decisions
        </Title>
        <Chart title="Decisions over time" empty="Nothing was decided in this time." rows={decisionRows(figures.series, axis)} series={SERIES} kind="pile" format={count} counted />
      </Card>
      <BreakdownCard figures={figures} by={by} people={people} onBy={onBy} />
    </>
  );
}
