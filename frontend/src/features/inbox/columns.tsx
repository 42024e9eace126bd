import { Checkbox, Text, VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import { ConfidenceBar } from '../../components/confidence-bar';
import { Countdown } from '../../components/countdown';
import type { Column } from '../../components/data-list';
import { Money } from '../../components/money';
import { RiskBadge } from '../../components/risk-badge';
import type { InboxShown } from './model/verdicts';
import { RowActions } from './row-actions';
import type { Verdicts } from './use-verdicts';
import { Waited } from './waited';
import { What } from './what';

// While the list scrolls, what is in sight already need not be made again.
const Risk = memo(RiskBadge);
const Confidence = memo(ConfidenceBar);

/** The rows of the inbox where there is room for columns. */
export function inboxColumns(verdicts: Verdicts): Column<InboxShown>[] {
  return [
    {
      key: 'select',
      header: <VisuallyHidden>Select</VisuallyHidden>,
      width: '46px',
      cell: (shown) => <SelectRow shown={shown} verdicts={verdicts} />,
    },
    { key: 'what', header: 'What it wants to do', width: 'minmax(0, 1fr)', cell: (shown) => <What shown={shown} /> },
    { key: 'risk', header: 'Risk', width: '154px', cell: ({ row }) => <Risk level={row.riskLevel} /> },
    { key: 'confidence', header: 'Confidence', width: '114px', cell: ({ row }) => <Confidence value={row.confidence} width={40} /> },
    { key: 'cost', header: 'Cost', width: '112px', align: 'end', cell: ({ row }) => <Money micros={row.estimatedCostMicros} /> },
    { key: 'time', header: 'Waited, time left', width: '146px', cell: ({ row }) => <Times since={row.requestedAt} until={row.deadline} /> },
    { key: 'actions', header: 'Decide', width: '100px', align: 'end', cell: (shown) => <RowActions shown={shown} verdicts={verdicts} /> },
  ];
}

const Times = memo(function Times({ since, until }: { since: string; until: string | null }) {
  return (
    <>
      <Waited since={since} />
      <Text size="xs" component="div">
        <Countdown until={until} />
      </Text>
    </>
  );
});

export const SelectRow = memo(function SelectRow({ shown, verdicts }: { shown: InboxShown; verdicts: Verdicts }) {
  return (
    <Checkbox
      aria-label={`Select “${shown.row.description}”`}
      checked={verdicts.selected.has(shown.id)}
      disabled={shown.told !== null}
      onChange={() => verdicts.toggle(shown.id)}
    />
  );
});
