import { EmptyState } from '../../../components/empty-state';
import { ErrorState } from '../../../components/error-state';
import { PageSkeleton } from '../../../components/page-skeleton';
import { graphql } from '../../../gql/documents';
import { toApiError } from '../../../lib/send-exchange';
import { useViewer } from '../../../lib/use-viewer';
import { useDirectoryQuery } from '../use-directory-query';
import { NameForm } from './name-form';
import { OutOfOffice } from './out-of-office';
import { PasswordForm } from './password-form';
import { Sessions } from './sessions';

const PROFILE = graphql(`
  query Profile {
    viewer {
      user {
        ...ProfileUser
        ...OutOfOfficeUser
      }
      sessions {
        ...SessionRow
      }
    }
  }
`);

/** What belongs to the person who looks. */
export function Profile() {
  const { can } = useViewer();
  const { data, error, refresh } = useDirectoryQuery({ query: PROFILE });
  if (!data) return error ? <ErrorState error={toApiError(error)} onRetry={refresh} /> : <PageSkeleton />;
  const { user, sessions } = data.viewer;
  if (!user) {
    return (
      <EmptyState title="You use an API token" action={{ label: 'Manage tokens', to: '/settings/tokens' }}>
        A token has no name, password or sessions of its own. Sign in with your account to change yours.
      </EmptyState>
    );
  }
  return (
    <>
      <NameForm user={user} />
      {can('APPROVER') && <OutOfOffice user={user} onChanged={refresh} />}
      <PasswordForm onChanged={refresh} />
      <Sessions sessions={sessions} onChanged={refresh} />
    </>
  );
}
