import { graphql } from '../../../gql/documents';
import { count, duration, words } from '../../../lib/format';
import { FigureTable } from '../figure-table';
import type { BreakdownLine } from '../model/breakdown';
import type { Breakdown } from '../model/filters';

graphql(`
  fragment CheckpointFigureParts on CheckpointFigures {
    outcomes {
      ...OutcomeParts
    }
    timeToDecision {
      ...DurationParts
    }
    timeWaited {
      ...DurationParts
    }
  }
`);

graphql(`
  fragment DecisionFigureParts on DecisionFigures {
    decided
    approved
    modified
    rejected
    answered
    timeToDecision {
      ...DurationParts
    }
    timeWaited {
      ...DurationParts
    }
  }
`);

const time = (seconds: number | null) => (seconds === null ? '–' : duration(seconds));

/** Counts and times of each line, exactly. */
export function BreakdownTable({ by, lines }: { by: Breakdown; lines: readonly BreakdownLine[] }) {
  return (
    <FigureTable
      label={`Decisions by ${by}`}
      columns={[words(by), 'Asked or decided', 'Approved', 'Modified', 'Rejected', 'By rules', 'P50', 'P95', 'P99', 'Waited P50', 'Waited P95', 'Waited P99']}
      rows={lines.map((line) => ({
        key: line.key,
        cells: [
          line.name,
          count(line.asked),
          count(line.approved),
          count(line.modified),
          count(line.rejected),
          line.autoApproved === null ? '–' : count(line.autoApproved),
          time(line.timeToDecision.p50),
          time(line.timeToDecision.p95),
          time(line.timeToDecision.p99),
          time(line.timeWaited.p50),
          time(line.timeWaited.p95),
          time(line.timeWaited.p99),
        ],
      }))}
    />
  );
}
