import { useQuery } from 'urql';
import { ErrorState } from '../../../components/error-state';
import { PageSkeleton } from '../../../components/page-skeleton';
import { graphql } from '../../../gql/documents';
import { toApiError } from '../../../lib/send-exchange';
import { useRefresh } from '../../../lib/use-refresh';
import { useAdminChanges } from '../use-admin-changes';
import { NameSection } from './name-section';
import { RetentionSection } from './retention-section';

graphql(`
  fragment WorkspaceSettings on Workspace {
    id
    name
    slug
    deliverableRetentionDays
  }
`);

const WORKSPACE = graphql(`
  query WorkspacePage {
    workspace {
      ...WorkspaceSettings
    }
  }
`);

export function Workspace() {
  const [{ data, error }, ask] = useQuery({ query: WORKSPACE });
  const refresh = useRefresh(ask, 50);
  useAdminChanges(['WORKSPACE_UPDATED'], refresh);
  if (!data) return error ? <ErrorState error={toApiError(error)} onRetry={refresh} /> : <PageSkeleton />;
  return (
    <>
      <NameSection key={data.workspace.name} workspace={data.workspace} />
      <RetentionSection key={String(data.workspace.deliverableRetentionDays)} workspace={data.workspace} />
    </>
  );
}
