import { useState } from 'react';
import { useNavigate } from 'react-router';
import { showFailure } from '../../lib/notify';
import type { Decision } from './model/outbox';
import { canApprove, canReject, decisionOf, pruned, type InboxShown } from './model/verdicts';

export type Verdicts = ReturnType<typeof useVerdicts>;

/** What can be done with rows, by pointer and by key: select, approve, reject with a reason, open. */
export function useVerdicts(rows: readonly InboxShown[], decide: (decisions: readonly Decision[]) => void) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [rejecting, setRejecting] = useState<readonly InboxShown[]>([]);
  const selected = pruned(chosen, rows);
  const selectedRows = rows.filter(({ id }) => selected.has(id));

  function settle(targets: readonly InboxShown[], verdict: Decision['verdict'], reason: string | null) {
    decide(targets.map((target) => decisionOf(target, verdict, reason)));
    const done = new Set(targets.map(({ id }) => id));
    setChosen(new Set([...selected].filter((id) => !done.has(id))));
  }

  return {
    selected,
    selectedRows,
    toggle(id: string) {
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      setChosen(next);
    },
    selectAll: () => setChosen(new Set(rows.filter(({ told }) => told === null).map(({ id }) => id))),
    clear: () => setChosen(new Set()),

    approve(targets: readonly InboxShown[]) {
      const able = targets.filter(canApprove);
      if (able.length > 0) settle(able, 'APPROVE', null);
      else if (targets[0]) showFailure(whyNot(targets[0]), 'This cannot be approved here');
    },
    rejecting,
    askWhy(targets: readonly InboxShown[]) {
      const able = targets.filter(canReject);
      if (able.length > 0) setRejecting(able);
      else if (targets[0]) showFailure(whyNot(targets[0]), 'You cannot reject this');
    },
    stopRejecting: () => setRejecting([]),
    reject(reason: string) {
      settle(rejecting, 'REJECT', reason);
      setRejecting([]);
    },

    open: (id: string, edit = false) => void navigate(`/checkpoints/${id}${edit ? '?edit' : ''}`),
  };
}

function whyNot({ row, told }: InboxShown): string {
  if (told !== null) return `${told}. Nothing is left to decide.`;
  if (row.viewerCannotDecideBecause !== null) return row.viewerCannotDecideBecause;
  return 'It has questions that somebody must answer. Open it to answer them.';
}
