import { Anchor } from '@mantine/core';
import { Link, useNavigate } from 'react-router';
import { ConfirmButton } from '../../../components/confirm-button';
import { EmptyState } from '../../../components/empty-state';
import { ErrorState } from '../../../components/error-state';
import { PageSkeleton } from '../../../components/page-skeleton';
import { graphql } from '../../../gql/documents';
import { toApiError } from '../../../lib/send-exchange';
import { useCommand } from '../../../lib/use-command';
import { useViewer } from '../../../lib/use-viewer';
import { useDirectoryQuery } from '../use-directory-query';
import { Section } from '../section';
import { GroupForm } from './group-form';
import { GroupMembers } from './group-members';

const GROUP = graphql(`
  query GroupPage($id: ID!) {
    node(id: $id) {
      __typename
      ... on Group {
        ...GroupRow
      }
    }
  }
`);

const UPDATE = graphql(`
  mutation UpdateGroup($input: UpdateGroupInput!) {
    updateGroup(input: $input) {
      group {
        ...GroupRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const DELETE = graphql(`
  mutation DeleteGroup($input: DeleteGroupInput!) {
    deleteGroup(input: $input) {
      deletedGroupId
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function GroupCard({ id, onChanged }: { id: string; onChanged: () => void }) {
  const { can } = useViewer();
  const navigate = useNavigate();
  const { data, error, refresh } = useDirectoryQuery({ query: GROUP, variables: { id } });
  const update = useCommand(UPDATE, { success: 'Saved', quiet: true });
  const remove = useCommand(DELETE, { success: 'Deleted' });
  if (!data) return error ? <ErrorState error={toApiError(error)} onRetry={refresh} /> : <PageSkeleton />;
  const group = data.node?.__typename === 'Group' ? data.node : null;
  if (!group) return <EmptyState title="There is no such group" action={{ label: 'All groups', to: '/settings/groups' }}>It may have been deleted.</EmptyState>;

  async function destroy(): Promise<boolean> {
    if (!(await remove.run({ input: { groupId: id } }))) return false;
    onChanged();
    await navigate('/settings/groups');
    return true;
  }

  return (
    <>
      <Anchor component={Link} to="/settings/groups" size="sm" c="dimmed">
        ← Groups
      </Anchor>
      <Section
        title={group.name}
        explanation={can('ADMIN') ? undefined : group.description}
        actions={
          can('ADMIN') && (
            <ConfirmButton variant="default" color="red" size="xs" title={`Delete ${group.name}?`} explanation="Its people stay. Policies that name it find nobody in it until there is a group with this name again." confirmLabel="Delete" onConfirm={destroy}>
              Delete
            </ConfirmButton>
          )
        }
      >
        {can('ADMIN') && (
          <GroupForm name={group.name} description={group.description} submitLabel="Save" pending={update.pending} error={update.error} onSubmit={async (changes) => void (await update.run({ input: { groupId: id, ...changes } }))} />
        )}
      </Section>
      <GroupMembers group={group} onChanged={refresh} />
    </>
  );
}
