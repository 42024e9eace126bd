import { useParams } from 'react-router';
import { EmptyState } from '../../components/empty-state';
import { ErrorState } from '../../components/error-state';
import { PageSkeleton } from '../../components/page-skeleton';
import { CheckpointView } from './checkpoint-view';
import { useCheckpoint } from './use-checkpoint';

export function CheckpointPage() {
  const { id = '' } = useParams();
  const { checkpoint, missing, error, refresh } = useCheckpoint(id);
  if (checkpoint) return <CheckpointView key={id} checkpoint={checkpoint} refresh={refresh} />;
  if (missing) {
    return (
      <EmptyState order={1} title="There is no such checkpoint" action={{ label: 'Go to the inbox', to: '/inbox' }}>
        The link may be mistyped, or it belongs to another workspace.
      </EmptyState>
    );
  }
  if (error) return <ErrorState error={error} onRetry={refresh} />;
  return <PageSkeleton />;
}
