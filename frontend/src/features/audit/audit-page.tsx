import { PageHeader } from '../../components/page-header';

export function AuditPage() {
  return <PageHeader title="Audit">Who did what, and the proof that nobody changed it since.</PageHeader>;
}
