import { Button } from '@mantine/core';
import { IconFilterOff, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { DataList } from '../../components/data-list';
import { EmptyState } from '../../components/empty-state';
import { PageHeader } from '../../components/page-header';
import type { ExecutionRowFragment } from '../../gql/types';
import { count } from '../../lib/format';
import { useUrlFilters } from '../../lib/use-url-filters';
import { ExecutionFilters } from './execution-filters';
import { COLUMNS, ExecutionCard } from './execution-row';
import { parseFilters, stillFits, toApi } from './model/filters';
import { useExecutionList } from './use-execution-list';

const card = (row: ExecutionRowFragment) => <ExecutionCard row={row} />;

export function ExecutionsPage() {
  const { filters, set, clear, active } = useUrlFilters(parseFilters);
  const api = useMemo(() => toApi(filters), [filters]);
  const list = useExecutionList(api);
  const rows = useMemo(() => list.rows.filter((row) => stillFits(filters, row)), [list.rows, filters]);
  return (
    <>
      <PageHeader
        title="Executions"
        actions={
          <Button component={Link} to="/workflows" variant="default" leftSection={<IconPlayerPlay size={16} />}>
            Run a workflow
          </Button>
        }
      >
        Everything that runs and has run, the newest first.
        {list.totalCount !== null && ` ${count(list.totalCount)} ${active ? 'of them fit' : 'in all'}.`}
      </PageHeader>
      <ExecutionFilters filters={filters} active={active} set={set} clear={clear} />
      <DataList
        list={{ ...list, rows }}
        label="Executions"
        columns={COLUMNS}
        card={card}
        empty={
          active ? (
            <EmptyState title="Nothing fits these filters" icon={IconFilterOff} action={{ label: 'Clear filters', onClick: clear }}>
              Choose another status or a longer time, or look at everything.
            </EmptyState>
          ) : (
            <EmptyState title="Nothing has run yet" icon={IconPlayerPlay} action={{ label: 'Choose a workflow', to: '/workflows' }}>
              Start a workflow, and watch it here step by step.
            </EmptyState>
          )
        }
      />
    </>
  );
}
