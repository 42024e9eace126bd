import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { showFailure } from '../../lib/notify';
import type { Decision } from './model/outbox';
import { canApprove, canReject, decisionOf, pruned, type InboxShown } from './model/verdicts';

export type Verdicts = ReturnType<typeof useVerdicts>;
export type RowVerbs = Verdicts['verbs'];

/** What can be done with rows, by pointer and by key: select, approve, reject with a reason, open. */
export function useVerdicts(rows: readonly InboxShown[], decide: (decisions: readonly Decision[]) => void) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [rejecting, setRejecting] = useState<readonly InboxShown[]>([]);
  const selected = useMemo(() => pruned(chosen, rows), [chosen, rows]);
  const selectedRows = useMemo(() => rows.filter(({ id }) => selected.has(id)), [rows, selected]);

  // The same for as long as the page is there: rows that are given them need not be made again.
  const verbs = useMemo(() => {
    function settle(targets: readonly InboxShown[], verdict: Decision['verdict'], reason: string | null) {
      decide(targets.map((target) => decisionOf(target, verdict, reason)));
      const done = new Set(targets.map(({ id }) => id));
      setChosen((before) => new Set([...before].filter((id) => !done.has(id))));
    }
    return {
      toggle: (id: string) =>
        setChosen((before) => {
          const next = new Set(before);
          if (!next.delete(id)) next.add(id);
          return next;
        }),
      approve(targets: readonly InboxShown[]) {
        const able = targets.filter(canApprove);
        if (able.length > 0) settle(able, 'APPROVE', null);
        else if (targets[0]) showFailure(whyNot(targets[0]), 'This cannot be approved here');
      },
      askWhy(targets: readonly InboxShown[]) {
        const able = targets.filter(canReject);
        if (able.length > 0) setRejecting(able);
        else if (targets[0]) showFailure(whyNot(targets[0]), 'You cannot reject this');
      },
      reject(targets: readonly InboxShown[], reason: string) {
        settle(targets, 'REJECT', reason);
        setRejecting([]);
      },
    };
  }, [decide]);

  return {
    verbs,
    selected,
    selectedRows,
    selectAll: () => setChosen(new Set(rows.filter(({ told }) => told === null).map(({ id }) => id))),
    clear: () => setChosen(new Set()),
    rejecting,
    stopRejecting: () => setRejecting([]),
    open: (id: string, edit = false) => void navigate(`/checkpoints/${id}${edit ? '?edit' : ''}`),
  };
}

function whyNot({ row, told }: InboxShown): string {
  if (told !== null) return `${told}. Nothing is left to decide.`;
  if (row.viewerCannotDecideBecause !== null) return row.viewerCannotDecideBecause;
  return 'It has questions that somebody must answer. Open it to answer them.';
}
