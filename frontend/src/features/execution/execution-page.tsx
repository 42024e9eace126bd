import { PageHeader } from '../../components/page-header';

export function ExecutionPage() {
  return <PageHeader title="Execution">One run of a workflow.</PageHeader>;
}
