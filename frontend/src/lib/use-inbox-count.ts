import { useMemo } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../gql/documents';
import type { InboxStreamSubscription } from '../gql/types';
import { useLive } from './use-live';
import { useRefresh } from './use-refresh';

const COUNTS = graphql(`
  query InboxCounts {
    checkpointCounts {
      mine
      pending
      byRisk {
        riskLevel
        count
      }
    }
  }
`);

const STREAM = graphql(`
  subscription InboxStream($after: String) {
    checkpointEvents(after: $after, filter: { mine: true }, pending: false) {
      __typename
      cursor
      checkpoint {
        id
        description
        riskLevel
        status
        viewerCanDecide
        assignee {
          id
        }
      }
    }
  }
`);

export type InboxEvent = InboxStreamSubscription['checkpointEvents'];

/** How many checkpoints wait for me, live. The handler hears of every event at one of them. */
export function useInboxCount(onEvent?: (event: InboxEvent) => void): number {
  const [{ data }, ask] = useQuery({ query: COUNTS });
  const refresh = useRefresh(ask, 300);
  const none = useMemo(() => ({}), []);
  useLive(STREAM, none, {
    onEvent: ({ checkpointEvents: event }) => {
      refresh();
      onEvent?.(event);
    },
    onGap: refresh,
  });
  return data?.checkpointCounts.mine ?? 0;
}
