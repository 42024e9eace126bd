import { useSearchParams } from 'react-router';
import { useState } from 'react';
import { ChangedNotice } from './changed-notice';
import classes from './checkpoint.module.css';
import { ClarificationForm } from './clarification-form';
import { DecisionBar } from './decision-bar';
import { Description } from './description';
import { Discussion } from './discussion';
import { Head } from './head';
import { History } from './history';
import { IfDenied } from './if-denied';
import { Insight } from './insight';
import { Items } from './items';
import { ModifyDialog } from './modify-dialog';
import { Outcome } from './outcome';
import { People } from './people';
import { ProposedAction } from './proposed-action';
import { Reasoning } from './reasoning';
import { Responsibility } from './responsibility';
import { ReviewedChange } from './reviewed-change';
import { Revisions } from './revisions';
import { RiskSection } from './risk-section';
import { Runs } from './runs';
import { Stuck } from './stuck';
import { SupportingData } from './supporting-data';
import type { Checkpoint } from './use-checkpoint';
import { useDecide } from './use-decide';
import { useSeen } from './use-seen';
import { Why } from './why';

/** Everything that is needed to decide, in the order in which one needs it. */
export function CheckpointView({ checkpoint, refresh }: { checkpoint: Checkpoint; refresh: () => void }) {
  const [params, setParams] = useSearchParams();
  const seen = useSeen(checkpoint, refresh);
  const decide = useDecide(checkpoint, seen.digest);
  // Items that somebody left out; new ones are in until they are.
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  const { proposal } = checkpoint;
  const open = checkpoint.status === 'PENDING' && checkpoint.viewerCanDecide;
  const selection = { all: proposal.items, leftOut, setLeftOut };
  const modifying = params.has('edit') && open && checkpoint.kind !== 'CLARIFICATION';
  const setModifying = (on: boolean) => setParams(on ? { edit: '' } : {}, { replace: true, preventScrollReset: true });

  return (
    <>
      <Head checkpoint={checkpoint} />
      <div className={classes.layout}>
        <div className={classes.main}>
          <ChangedNotice id="what-changed" seen={seen} checkpoint={checkpoint} />
          <Outcome checkpoint={checkpoint} problem={decide.error} />
          <Stuck checkpoint={checkpoint} />
          <ReviewedChange checkpoint={checkpoint} />
          <Description checkpoint={checkpoint} />
          <Why checkpoint={checkpoint} />
          <ProposedAction checkpoint={checkpoint} />
          <Runs checkpoint={checkpoint} digest={seen.digest} />
          {proposal.items.length > 0 && <Items selection={selection} editable={open} />}
          {checkpoint.kind === 'CLARIFICATION' && <ClarificationForm checkpoint={checkpoint} decide={decide} open={open && seen.changes === null} />}
          <Reasoning checkpoint={checkpoint} />
          {checkpoint.kind !== 'CLARIFICATION' && <RiskSection checkpoint={checkpoint} />}
          <SupportingData checkpoint={checkpoint} />
          <IfDenied checkpoint={checkpoint} />
          {checkpoint.kind !== 'CLARIFICATION' && <Insight checkpoint={checkpoint} />}
          <History checkpoint={checkpoint} />
          <Discussion checkpoint={checkpoint} />
          <Revisions checkpoint={checkpoint} />
        </div>
        <aside className={classes.side} aria-label="People">
          <People checkpoint={checkpoint} />
          <Responsibility checkpoint={checkpoint} />
        </aside>
      </div>
      <DecisionBar checkpoint={checkpoint} decide={decide} selection={selection} blocked={seen.changes !== null} onModify={() => setModifying(true)} />
      {modifying && <ModifyDialog checkpoint={checkpoint} decide={decide} seen={seen} onClose={() => setModifying(false)} />}
    </>
  );
}
