import { VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import { ConfidenceBar } from '../../components/confidence-bar';
import { Countdown } from '../../components/countdown';
import type { Column } from '../../components/data-list';
import { Money } from '../../components/money';
import { RiskBadge } from '../../components/risk-badge';
import { headlineOf } from '../../lib/headline';
import { visible } from '../../lib/hidden';
import type { InboxShown } from './model/verdicts';
import { RowActions } from './row-actions';
import classes from './inbox.module.css';
import type { RowVerbs } from './use-verdicts';
import { Waited } from './waited';
import { What } from './what';

// When one row is selected, the others need not be made again.
const Risk = memo(RiskBadge);
const Confidence = memo(ConfidenceBar);

/** The rows of the inbox where there is room for columns. */
export function inboxColumns(verbs: RowVerbs, selected: ReadonlySet<string>): Column<InboxShown>[] {
  return [
    {
      key: 'select',
      header: <VisuallyHidden>Select</VisuallyHidden>,
      width: '46px',
      cell: (shown) => <SelectRow shown={shown} verbs={verbs} selected={selected.has(shown.id)} />,
    },
    { key: 'what', header: 'What it wants to do', width: 'minmax(0, 1fr)', cell: (shown) => <What shown={shown} /> },
    { key: 'risk', header: 'Risk', width: '148px', cell: ({ row }) => <Risk level={row.riskLevel} /> },
    { key: 'confidence', header: 'Confidence', width: '114px', cell: ({ row }) => <Confidence value={row.confidence} width={40} /> },
    { key: 'cost', header: 'Cost', width: '116px', align: 'end', cell: ({ row }) => <Money micros={row.estimatedCostMicros} /> },
    { key: 'time', header: 'Waited, time left', width: '140px', cell: ({ row }) => <Times since={row.requestedAt} until={row.deadline} /> },
    { key: 'actions', header: 'Decide', width: '100px', align: 'end', cell: (shown) => <RowActions shown={shown} verbs={verbs} /> },
  ];
}

const Times = memo(function Times({ since, until }: { since: string; until: string | null }) {
  return (
    <>
      <Waited since={since} />
      <div className={classes.left}>
        <Countdown until={until} />
      </div>
    </>
  );
});

export const SelectRow = memo(function SelectRow({ shown, verbs, selected }: { shown: InboxShown; verbs: RowVerbs; selected: boolean }) {
  return (
    <input
      type="checkbox"
      className={classes.select}
      aria-label={`Select “${visible(headlineOf(shown.row.description).headline)}”`}
      checked={selected}
      disabled={shown.told !== null}
      onChange={() => verbs.toggle(shown.id)}
    />
  );
});
