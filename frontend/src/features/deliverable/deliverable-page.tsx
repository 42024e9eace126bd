import { PageHeader } from '../../components/page-header';

export function DeliverablePage() {
  return <PageHeader title="Deliverable">A result, and its versions.</PageHeader>;
}
