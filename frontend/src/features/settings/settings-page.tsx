import { PageHeader } from '../../components/page-header';

export function SettingsPage() {
  return <PageHeader title="Settings">Your profile, people, groups and tokens.</PageHeader>;
}
