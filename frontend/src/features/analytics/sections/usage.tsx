import { Card, SimpleGrid, Title } from '@mantine/core';
import { graphql } from '../../../gql/documents';
import type { TimeBucket } from '../../../gql/enums';
import type { UsageFiguresOverTimeFragment } from '../../../gql/types';
import { compactCount, count, credits } from '../../../lib/format';
import { Chart } from '../chart';
import { FigureTable } from '../figure-table';
import { usageRows } from '../model/rows';

graphql(`
  fragment UsageFiguresOverTime on UsageAnalytics {
    totals {
      llmCalls
      tokens
      costMicros
    }
    series {
      from
      usage {
        llmCalls
        tokens
        costMicros
      }
    }
    byWorkflow(first: 100) {
      workflow {
        id
        name
      }
      usage {
        llmCalls
        tokens
        costMicros
      }
    }
  }
`);

const EMPTY = 'No worker reported any use of language models in this time.';

export function Usage({ figures, axis }: { figures: UsageFiguresOverTimeFragment; axis: { bucket: TimeBucket; timeZone: string } }) {
  const rows = usageRows(figures.series, axis);
  const part = (name: string) => rows.map((row) => ({ label: row.label, [name]: row[name] ?? 0 }));
  return (
    <Card component="section" aria-label="Cost and tokens">
      <Title order={2} mb="sm">
        Cost and tokens
      </Title>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Chart title="Cost in credits" empty={EMPTY} rows={part('Cost')} series={[{ name: 'Cost', color: 'brand.7' }]} kind="area" format={(value) => credits(value * 1_000_000)} />
        <Chart title="Tokens" empty="" rows={part('Tokens')} series={[{ name: 'Tokens', color: 'blue.5' }]} kind="area" format={compactCount} />
      </SimpleGrid>
      {figures.byWorkflow.length > 0 && (
        <FigureTable
          label="Use by workflow"
          columns={['Workflow', 'Cost', 'Tokens', 'Calls']}
          rows={figures.byWorkflow.map(({ workflow, usage }, index) => ({
            key: workflow?.id ?? `${index}`,
            cells: [workflow?.name ?? 'Outside of workflows', credits(usage.costMicros), count(usage.tokens), count(usage.llmCalls)],
          }))}
        />
      )}
    </Card>
  );
}
