import { memo } from 'react';
import { Link } from 'react-router';
import { Tag } from '../../components/tag';
import { count } from '../../lib/format';
import { headlineOf } from '../../lib/headline';
import { visible } from '../../lib/hidden';
import { Plain } from '../../lib/plain';
import type { InboxShown } from './model/verdicts';
import classes from './inbox.module.css';

/** What somebody wants to do, in one sentence, and where it comes from. */
export const What = memo(function What({ shown: { row, told } }: { shown: InboxShown }) {
  const origin = [row.workflow?.name ?? 'From outside', row.agent?.name].filter(Boolean).join(' · ');
  return (
    <div data-leaving={told !== null} className={classes.what}>
      <Link to={`/checkpoints/${row.id}`} className={classes.sentence} title={visible(row.description)}>
        <Plain>{headlineOf(row.description).headline}</Plain>
      </Link>
      <div className={classes.about}>
        {told !== null && (
          <Tag small color={told.startsWith('Approved') ? 'brand' : 'gray'}>
            {told}
          </Tag>
        )}
        <Plain>{origin}</Plain>
        <Marks row={row} />
      </div>
    </div>
  );
});

/** What one should know before deciding by the row alone. */
function Marks({ row }: { row: InboxShown['row'] }) {
  return (
    <>
      {headlineOf(row.description).whole !== null && <Tag small color="yellow">More to read</Tag>}
      {row.kind === 'CLARIFICATION' && <Tag small color="blue">Questions</Tag>}
      {row.itemCount !== null && <Tag small color="gray">{count(row.itemCount)} items</Tag>}
      {row.approvalsNeeded > 1 && (
        <Tag small color="gray">
          {row.approvals} of {row.approvalsNeeded} approved
        </Tag>
      )}
      {row.revision > 1 && <Tag small color="yellow">Revision {row.revision}</Tag>}
      {row.test && <Tag small color="gray">Test</Tag>}
      {row.assignee && <span><Plain>{row.assignee.displayName}</Plain> is on it</span>}
    </>
  );
}
