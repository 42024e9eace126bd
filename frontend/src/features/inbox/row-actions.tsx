import { IconCheck, IconLock, IconMessageQuestion, IconX } from '@tabler/icons-react';
import { memo } from 'react';
import { Link } from 'react-router';
import { withoutMarks } from '../../lib/code-text';
import { count } from '../../lib/format';
import { headlineOf } from '../../lib/headline';
import { visible } from '../../lib/hidden';
import classes from './inbox.module.css';
import { canApprove, canReject, type InboxShown } from './model/verdicts';
import type { RowVerbs } from './use-verdicts';

/** Plain buttons with the browser's own tooltips: the library's in each row are what makes a long list stutter. */
export const RowActions = memo(function RowActions({ shown, verbs }: { shown: InboxShown; verbs: RowVerbs }) {
  const { row, told } = shown;
  if (told !== null) return null;
  if (!canReject(shown)) {
    const why = withoutMarks(row.viewerCannotDecideBecause ?? 'You cannot decide this.');
    return (
      <span className={classes.locked} role="img" aria-label={why} title={why}>
        <IconLock size={18} />
      </span>
    );
  }
  const headline = visible(headlineOf(row.description).headline);
  const all = row.itemCount === null ? 'Approve' : `Approve all ${count(row.itemCount)} items`;
  return (
    <div className={classes.actions}>
      {canApprove(shown) ? (
        <button type="button" className={classes.action} onClick={() => verbs.approve([shown])} aria-label={`${all}: ${headline}`} title={all}>
          <IconCheck size={18} />
        </button>
      ) : (
        <Link to={`/checkpoints/${row.id}`} className={classes.action} aria-label={`Answer: ${headline}`} title="Answer">
          <IconMessageQuestion size={18} />
        </Link>
      )}
      <button type="button" className={classes.action} data-reject onClick={() => verbs.askWhy([shown])} aria-label={`Reject: ${headline}`} title="Reject…">
        <IconX size={18} />
      </button>
    </div>
  );
});
