import { Button, Card, Group } from '@mantine/core';
import { IconDownload, IconFingerprint } from '@tabler/icons-react';
import { useMemo } from 'react';
import { DataList } from '../../components/data-list';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import { graphql } from '../../gql/documents';
import type { AuditEntriesQuery, AuditRowFragment } from '../../gql/types';
import { debounced } from '../../lib/debounced';
import { fetchFile } from '../../lib/download';
import { describe } from '../../lib/errors';
import { showFailure } from '../../lib/notify';
import { saveFile } from '../../lib/save-file';
import { useAction } from '../../lib/use-action';
import { useConnection } from '../../lib/use-connection';
import { useLive } from '../../lib/use-live';
import { useUrlFilters } from '../../lib/use-url-filters';
import { useViewer } from '../../lib/use-viewer';
import { AuditCard, COLUMNS } from './audit-row';
import { EntryDrawer } from './entry-drawer';
import { FilterBar } from './filter-bar';
import { exportPath, filterOf, parseFilters } from './model/filters';
import { VerifyPanel } from './verify-panel';

const ENTRIES = graphql(`
  query AuditEntries($after: String, $filter: AuditFilter) {
    auditEntries(first: 50, after: $after, filter: $filter) {
      nodes {
        ...AuditRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
      totalCount
    }
  }
`);

const TAIL = graphql(`
  subscription AuditTail($after: String, $filter: AuditFilter) {
    auditEvents(after: $after, filter: $filter) {
      cursor
      entry {
        ...AuditRow
      }
    }
  }
`);

const select = (data: AuditEntriesQuery) => data.auditEntries;

const card = (row: AuditRowFragment) => (
  <Card padding="sm">
    <AuditCard row={row} />
  </Card>
);

const BURST_MS = 400;

export function AuditPage() {
  const { can, viewer } = useViewer();
  if (viewer && !can('ADMIN')) {
    return (
      <EmptyState title="The audit log is for administrators" order={1} icon={IconFingerprint} action={{ label: 'Go to the inbox', to: '/inbox' }}>
        Ask one of them if you need to know who did what.
      </EmptyState>
    );
  }
  return viewer ? <Log /> : null;
}

function Log() {
  const { filters, set, clear, active } = useUrlFilters(parseFilters);
  const filter = filterOf(filters);
  const list = useConnection(ENTRIES, { filter }, select);
  const { refreshHead } = list;
  // Entries are only ever added, and a burst of them is one look.
  const look = useMemo(() => debounced(() => void refreshHead(), BURST_MS), [refreshHead]);
  useLive(TAIL, { filter }, { onEvent: look, onGap: look });
  const exporting = useAction(async () => {
    try {
      const file = await fetchFile(exportPath(filters));
      saveFile('audit.jsonl', await file.blob());
    } catch (error) {
      showFailure(describe(error));
    }
  });

  return (
    <>
      <PageHeader
        title="Audit"
        actions={
          <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} loading={exporting.pending} onClick={() => void exporting.run()}>
            Export
          </Button>
        }
      >
        Everything that people, programs and rules decided or changed. Entries are never changed, and whoever tries is found out.
      </PageHeader>
      <VerifyPanel />
      <FilterBar filters={filters} total={list.totalCount} onChange={set} />
      <DataList
        list={list}
        label="Audit log"
        columns={COLUMNS}
        card={card}
        empty={
          <Group justify="center">
            <EmptyState title="Nothing like this has happened" icon={IconFingerprint} {...(active ? { action: { label: 'Show everything', onClick: clear } } : {})}>
              Widen the time, or take a filter away.
            </EmptyState>
          </Group>
        }
      />
      <EntryDrawer />
    </>
  );
}
