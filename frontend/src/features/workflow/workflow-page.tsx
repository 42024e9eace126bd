import { PageHeader } from '../../components/page-header';

export function WorkflowPage() {
  return <PageHeader title="Workflow">A graph of steps, and its versions.</PageHeader>;
}
