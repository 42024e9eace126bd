import { Alert, Badge, Tabs } from '@mantine/core';
import { IconArchive } from '@tabler/icons-react';
import { PageHeader } from '../../components/page-header';
import { UnsavedGuard } from '../../components/unsaved-guard';
import type { WorkflowDetailFragment } from '../../gql/types';
import { useActiveInView } from '../../lib/use-active-in-view';
import { known, useUrlFilters } from '../../lib/use-url-filters';
import { useViewer } from '../../lib/use-viewer';
import { DefinitionPanel } from './definition-panel';
import { OverviewPanel } from './overview-panel';
import { PreviewPanel } from './preview-panel';
import { useDefinition } from './use-definition';
import { VersionsPanel } from './versions-panel';
import { WorkflowActions } from './workflow-actions';

const TABS = ['overview', 'definition', 'versions', 'preview'] as const;
const parse = (params: URLSearchParams) => ({ tab: known(params, 'tab', TABS)[0] ?? 'overview' });

export function WorkflowBody({ workflow }: { workflow: WorkflowDetailFragment }) {
  const { can } = useViewer();
  const { filters, set } = useUrlFilters(parse);
  const document = useDefinition((workflow.draft ?? workflow.latestVersion)?.definition, workflow.latestVersion?.number ?? null);
  const { latestVersion: latest, draft } = workflow;
  const tabs = useActiveInView<HTMLDivElement>('[data-active]', filters.tab);
  return (
    <>
      <UnsavedGuard when={document.dirty} />
      <PageHeader
        title={workflow.name}
        back={{ to: '/workflows', label: 'Workflows' }}
        badges={
          <>
            {latest && <Badge color="gray">Version {latest.number}</Badge>}
            {draft && <Badge color="yellow">Draft</Badge>}
            {document.dirty && <Badge color="orange">Not saved</Badge>}
          </>
        }
        actions={<WorkflowActions workflow={workflow} />}
      >
        {workflow.description}
      </PageHeader>
      {workflow.archivedAt && (
        <Alert color="gray" icon={<IconArchive size={20} />} title="This workflow is archived" mb="md">
          Nothing is lost, but it can be neither changed nor started until somebody brings it back.
        </Alert>
      )}
      <Tabs value={filters.tab} onChange={(tab) => set({ tab: tab === 'overview' ? null : tab })} keepMounted={false}>
        <Tabs.List mb="md" ref={tabs}>
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="definition">Definition</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
          <Tabs.Tab value="preview">Preview</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OverviewPanel definition={(latest ?? draft)?.definition} />
        </Tabs.Panel>
        <Tabs.Panel value="definition">
          <DefinitionPanel workflow={workflow} document={document} readOnly={!can('AUTHOR') || Boolean(workflow.archivedAt)} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <VersionsPanel workflow={workflow} />
        </Tabs.Panel>
        <Tabs.Panel value="preview">
          <PreviewPanel source={document.text} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
