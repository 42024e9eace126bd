import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { showNews } from '../lib/notify';

/** Says that a change was not made yet: where `review-changes` is on, somebody else must approve it first. */
export function showWaitsForReview(review: { id: string }): void {
  showNews(
    `review ${review.id}`,
    'Waits for review',
    <>
      Somebody else must approve this change before it is made.{' '}
      <Anchor component={Link} to={`/checkpoints/${review.id}`} size="sm" underline="always">
        Open the request
      </Anchor>
    </>,
  );
}
