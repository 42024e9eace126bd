import { IconFileUnknown } from '@tabler/icons-react';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useQuery } from 'urql';
import { EmptyState } from '../../components/empty-state';
import { ErrorState } from '../../components/error-state';
import { PageSkeleton } from '../../components/page-skeleton';
import { graphql } from '../../gql/documents';
import { toApiError } from '../../lib/send-exchange';
import { useLive } from '../../lib/use-live';
import { useRefresh } from '../../lib/use-refresh';
import { useTitle } from '../../lib/use-title';
import { useUrlFilters } from '../../lib/use-url-filters';
import { DeliverableView } from './deliverable-view';
import { parseVersion } from './model/versions';

const DELIVERABLE = graphql(`
  query DeliverablePage($id: ID!, $version: Int) {
    deliverable(id: $id) {
      ...DeliverableHead
      version(number: $version) {
        ...DeliverableContent
      }
      execution {
        id
        events(last: 1) {
          pageInfo {
            endCursor
          }
        }
      }
    }
  }
`);

const CHANGES = graphql(`
  subscription DeliverableChanges($executionId: ID!, $after: String) {
    deliverableEvents(executionId: $executionId, after: $after) {
      cursor
      deliverable {
        id
        status
        versionNumber
      }
    }
  }
`);

export function DeliverablePage() {
  const { id = '' } = useParams();
  // A page of its own for each: what one remembers is not the other's.
  return <Deliverable key={id} id={id} />;
}

function Deliverable({ id }: { id: string }) {
  const { filters, set } = useUrlFilters(parseVersion);
  const [{ data, error }, ask] = useQuery({ query: DELIVERABLE, variables: { id, version: filters.version } });
  const refresh = useRefresh(ask, 150);
  const execution = data?.deliverable?.execution;
  const [began, setBegan] = useState<{ executionId: string; after: string | null } | null>(null);
  if (began === null && execution) setBegan({ executionId: execution.id, after: execution.events.pageInfo.endCursor });
  useLive(CHANGES, began, {
    onEvent: ({ deliverableEvents: event }) => event.deliverable.id === id && refresh(),
    onGap: refresh,
  });

  if (!data) return error ? <ErrorState error={toApiError(error)} onRetry={refresh} /> : <PageSkeleton />;
  if (!data.deliverable) return <Missing />;
  return <DeliverableView deliverable={data.deliverable} version={data.deliverable.version} compare={filters.compare} onChoose={set} />;
}

function Missing() {
  useTitle('Not found');
  return (
    <EmptyState title="There is no such deliverable" order={1} icon={IconFileUnknown} action={{ label: 'All deliverables', to: '/deliverables' }}>
      The link may be mistyped, or lead to another workspace.
    </EmptyState>
  );
}
