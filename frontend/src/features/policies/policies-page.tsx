import { Alert, Badge, Tabs } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ErrorState } from '../../components/error-state';
import { PageHeader } from '../../components/page-header';
import { PageSkeleton } from '../../components/page-skeleton';
import { RelativeTime } from '../../components/relative-time';
import type { PolicyInForceFragment } from '../../gql/types';
import { useActiveInView } from '../../lib/use-active-in-view';
import { useUrlFilters } from '../../lib/use-url-filters';
import { useViewer } from '../../lib/use-viewer';
import { Backtest } from './backtest/backtest';
import { LeaveGuard } from './document/leave-guard';
import { PolicyDocument } from './document/policy-document';
import { EmergencyStop } from './emergency-stop';
import { Rules } from './rules/rules';
import { Suggestions } from './rules/suggestions';
import { TryProposal } from './trial/try-proposal';
import { usePolicy } from './use-policy';
import { useDraft } from './use-draft';
import { Versions } from './document/versions';
import classes from './policies.module.css';

const TABS = ['document', 'try', 'backtest', 'rules', 'suggestions', 'versions'] as const;
type Tab = (typeof TABS)[number];
const parse = (params: URLSearchParams): Tab => TABS.find((tab) => tab === params.get('tab')) ?? 'document';

export function PoliciesPage() {
  const { policy, error, refresh } = usePolicy();
  if (!policy) return error ? <ErrorState error={error} onRetry={refresh} /> : <PageSkeleton />;
  return <Policies policy={policy} onChanged={refresh} />;
}

function Policies({ policy, onChanged }: { policy: PolicyInForceFragment; onChanged: () => void }) {
  const { can } = useViewer();
  const { filters: tab, set } = useUrlFilters(parse);
  const draft = useDraft(policy);
  const tabs = useActiveInView<HTMLDivElement>('[data-active]', tab);
  const choose = (next: string | null) => set({ tab: next === 'document' ? null : next });
  return (
    <>
      <PageHeader title="Policies" badges={<Origin policy={policy} />}>
        What may happen by itself, and what people must approve.
      </PageHeader>
      <LeaveGuard when={draft.changed} />
      <EmergencyStop policy={policy} onChanged={onChanged} />
      {policy.fileProblem !== null && (
        <Alert color="orange" icon={<IconAlertTriangle size={20} />} title="The operator's file is not in force" mb="md">
          {policy.fileProblem}
        </Alert>
      )}
      <Tabs value={tab} onChange={choose} keepMounted={false} classNames={{ list: classes.tabs }}>
        <Tabs.List ref={tabs}>
          <Tabs.Tab value="document" rightSection={draft.changed ? <Badge size="xs" color="yellow">draft</Badge> : null}>
            Document
          </Tabs.Tab>
          <Tabs.Tab value="try">Try a proposal</Tabs.Tab>
          {can('AUTHOR') && <Tabs.Tab value="backtest">Back-test</Tabs.Tab>}
          <Tabs.Tab value="rules">Auto-approval</Tabs.Tab>
          {can('AUTHOR') && <Tabs.Tab value="suggestions">Suggestions</Tabs.Tab>}
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="document" pt="md">
          <PolicyDocument policy={policy} draft={draft} onSaved={onChanged} />
        </Tabs.Panel>
        <Tabs.Panel value="try" pt="md">
          <TryProposal draft={draft} />
        </Tabs.Panel>
        <Tabs.Panel value="backtest" pt="md">
          <Backtest draft={draft} />
        </Tabs.Panel>
        <Tabs.Panel value="rules" pt="md">
          <Rules rules={policy.autoApprovalRules} />
        </Tabs.Panel>
        <Tabs.Panel value="suggestions" pt="md">
          <Suggestions draft={draft} onAdded={() => choose('document')} />
        </Tabs.Panel>
        <Tabs.Panel value="versions" pt="md">
          <Versions key={policy.version} policy={policy} onRestored={onChanged} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Origin({ policy }: { policy: PolicyInForceFragment }) {
  if (policy.version === null) return <Badge color="gray">Built in</Badge>;
  return (
    <Badge color="gray">
      Version {policy.version}
      {policy.origin === 'FILE' && ', from a file'}
      {policy.createdAt !== null && (
        <>
          {' · '}
          <RelativeTime at={policy.createdAt} />
        </>
      )}
    </Badge>
  );
}
