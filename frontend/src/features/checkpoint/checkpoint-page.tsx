import { PageHeader } from '../../components/page-header';

export function CheckpointPage() {
  return <PageHeader title="Checkpoint">Everything needed to decide.</PageHeader>;
}
