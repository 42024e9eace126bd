import { PageHeader } from '../../components/page-header';

export function PoliciesPage() {
  return <PageHeader title="Policies">What may go on by itself, and what waits for whom.</PageHeader>;
}
