import { Card, Title } from '@mantine/core';
import { graphql } from '../../../gql/documents';
import type { TimeBucket } from '../../../gql/enums';
import type { ExecutionFiguresOverTimeFragment } from '../../../gql/types';
import { count, percent, words } from '../../../lib/format';
import { Chart } from '../chart';
import { FigureTable } from '../figure-table';
import { executionRows } from '../model/rows';

graphql(`
  fragment ExecutionFiguresOverTime on ExecutionAnalytics {
    ended
    duration {
      ...DurationParts
    }
    byOutcome {
      reason
      count
    }
    series {
      from
      ended
      byOutcome {
        reason
        count
      }
    }
  }
`);

const SERIES = [
  { name: 'Completed', color: 'brand.7' },
  { name: 'Failed', color: 'red.5' },
  { name: 'Rejected', color: 'yellow.4' },
  { name: 'Limit reached', color: 'orange.5' },
  { name: 'Cancelled', color: 'gray.5' },
];

export function Executions({ figures, axis }: { figures: ExecutionFiguresOverTimeFragment; axis: { bucket: TimeBucket; timeZone: string } }) {
  return (
    <Card component="section" aria-label="Executions">
      <Title order={2} mb="sm">
        How executions ended
      </Title>
      <Chart title="Executions by outcome" empty="No execution ended in this time." rows={executionRows(figures.series, axis)} series={SERIES} kind="pile" format={count} counted />
      {figures.byOutcome.length > 0 && (
        <FigureTable
          label="Executions by outcome, in total"
          columns={['Outcome', 'Executions', 'Part']}
          rows={figures.byOutcome.map(({ reason, count: number }) => ({
            key: reason,
            cells: [words(reason), count(number), percent(figures.ended === 0 ? 0 : number / figures.ended)],
          }))}
        />
      )}
    </Card>
  );
}
