import { IconSitemap } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { EmptyState } from '../../components/empty-state';
import { ErrorState } from '../../components/error-state';
import { PageSkeleton } from '../../components/page-skeleton';
import { graphql } from '../../gql/documents';
import { toApiError } from '../../lib/send-exchange';
import { useLibraryChanges } from '../../lib/use-library-changes';
import { useRefresh } from '../../lib/use-refresh';
import { WorkflowBody } from './workflow-body';

graphql(`
  fragment WorkflowDetail on Workflow {
    id
    name
    description
    archivedAt
    updatedAt
    latestVersion {
      number
      definition
      createdAt
      createdBy {
        displayName
      }
    }
    draft {
      definition
      updatedAt
      updatedBy {
        displayName
      }
    }
  }
`);

const WORKFLOW = graphql(`
  query WorkflowPage($id: ID!) {
    node(id: $id) {
      id
      ...WorkflowDetail
    }
  }
`);

export function WorkflowView({ id }: { id: string }) {
  const [{ data, error }, ask] = useQuery({ query: WORKFLOW, variables: { id } });
  const refresh = useRefresh(ask, 150);
  useLibraryChanges('workflow', refresh, id);
  if (data?.node && 'archivedAt' in data.node) return <WorkflowBody workflow={data.node} />;
  if (error) return <ErrorState error={toApiError(error)} onRetry={refresh} title="The workflow could not be loaded" />;
  if (data) {
    return (
      <EmptyState title="There is no such workflow" order={1} icon={IconSitemap} action={{ label: 'All workflows', to: '/workflows' }}>
        The link may be mistyped, or it belongs to another workspace.
      </EmptyState>
    );
  }
  return <PageSkeleton />;
}
