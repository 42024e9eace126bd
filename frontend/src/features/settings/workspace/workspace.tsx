import { ErrorState } from '../../../components/error-state';
import { PageSkeleton } from '../../../components/page-skeleton';
import { graphql } from '../../../gql/documents';
import { toApiError } from '../../../lib/send-exchange';
import { useDirectoryQuery } from '../use-directory-query';
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
  const { data, error, refresh } = useDirectoryQuery({ query: WORKSPACE });
  if (!data) return error ? <ErrorState error={toApiError(error)} onRetry={refresh} /> : <PageSkeleton />;
  return (
    <>
      <NameSection workspace={data.workspace} />
      <RetentionSection workspace={data.workspace} />
    </>
  );
}
