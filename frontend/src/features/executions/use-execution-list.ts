import { useMemo } from 'react';
import { graphql } from '../../gql/documents';
import type { ExecutionsQuery, ExecutionsQueryVariables } from '../../gql/types';
import { debounced } from '../../lib/debounced';
import { useConnection } from '../../lib/use-connection';
import { useLive } from '../../lib/use-live';

const EXECUTIONS = graphql(`
  query Executions($after: String, $filter: ExecutionFilter) {
    executions(first: 100, after: $after, filter: $filter, orderBy: { direction: DESC }) {
      nodes {
        ...ExecutionRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

/** Logs and progress within a step come by the thousand and change nothing in this list. */
const CHANGES = graphql(`
  subscription ExecutionsChanges($after: String, $workflow: ID) {
    workspaceEvents(
      after: $after
      filter: {
        workflowId: $workflow
        types: [
          EXECUTION_QUEUED
          EXECUTION_STARTED
          EXECUTION_PAUSED
          EXECUTION_RESUMED
          EXECUTION_COMPLETED
          EXECUTION_FAILED
          EXECUTION_CANCELLED
          STEP_COMPLETED
          STEP_SKIPPED
          STEP_FAILED
          CHECKPOINT_REQUESTED
          CHECKPOINT_APPROVED
          CHECKPOINT_REJECTED
        ]
      }
    ) {
      __typename
      cursor
      execution {
        ...ExecutionRow
      }
    }
  }
`);

const select = (data: ExecutionsQuery) => data.executions;

/** A burst of new executions is one look at the head of the list. */
const BURST_MS = 400;

/** The list, live: events change the rows that are there, and new rows are read at its head. */
export function useExecutionList(filter: NonNullable<ExecutionsQueryVariables['filter']>) {
  const list = useConnection(EXECUTIONS, { filter }, select);
  const { refreshHead } = list;
  const look = useMemo(() => debounced(() => void refreshHead(), BURST_MS), [refreshHead]);
  const byStatus = Boolean(filter.status);
  useLive(
    CHANGES,
    { workflow: filter.workflowId ?? null },
    {
      onEvent: ({ workspaceEvents: event }) => {
        // A filter by status lets also those in that are there for a while.
        if (event.__typename === 'ExecutionQueued' || byStatus) look();
      },
      onGap: look,
    },
  );
  return list;
}
