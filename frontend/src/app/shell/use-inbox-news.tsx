import { Anchor } from '@mantine/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { headlineOf } from '../../lib/headline';
import { hideNews, showNews } from '../../lib/notify';
import { Plain } from '../../lib/plain';
import { useInboxCount } from '../../lib/use-inbox-count';
import { useTitleCount } from '../../lib/use-title';

/** The number for the badge and the tab's title, and a toast for each new checkpoint unless one looks at the inbox anyway. */
export function useInboxNews(): number {
  const { pathname } = useLocation();
  const told = useRef(new Set<string>());
  const announce = useEffectEvent((id: string, description: string) => {
    if (pathname === '/inbox' || pathname === `/checkpoints/${id}`) return;
    told.current.add(id);
    showNews(
      id,
      'Waits for you',
      <>
        <span style={{ overflowWrap: 'anywhere' }}><Plain>{headlineOf(description).headline}</Plain></span>{' '}
        <Anchor component={Link} to={`/checkpoints/${id}`} size="sm" underline="always">
          Look at it
        </Anchor>
      </>,
    );
  });
  // Who has come to look needs no pointing any more.
  useEffect(() => {
    const seen = [...told.current].filter((id) => pathname === '/inbox' || pathname.endsWith(id));
    for (const id of seen) {
      hideNews(id);
      told.current.delete(id);
    }
  }, [pathname]);
  const waiting = useInboxCount((event) => {
    const { id, description, status } = event.checkpoint;
    if (event.__typename === 'CheckpointRequested' && status === 'PENDING') announce(id, description);
  });
  useTitleCount(waiting);
  return waiting;
}
