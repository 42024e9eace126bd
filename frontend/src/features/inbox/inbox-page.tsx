import { Button, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconKeyboard } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { DataList } from '../../components/data-list';
import { PageHeader } from '../../components/page-header';
import { headlineOf } from '../../lib/headline';
import { useUrlFilters } from '../../lib/use-url-filters';
import { inboxColumns } from './columns';
import { EmptyInbox } from './empty-inbox';
import { Failures } from './failures';
import { FilterBar } from './filter-bar';
import { activeFilters, parseFilters, type Sort } from './model/filters';
import type { InboxShown } from './model/verdicts';
import { RejectDialog } from './reject-dialog';
import { RowCard } from './row-card';
import { SelectionBar } from './selection-bar';
import { ShortcutHelp } from './shortcut-help';
import { useInbox } from './use-inbox';
import { useInboxKeys } from './use-inbox-keys';
import { useOutbox } from './use-outbox';
import { useVerdicts } from './use-verdicts';

const ORDERS: Record<Sort, string> = { oldest: 'the oldest first', urgent: 'what ends first at the top', risk: 'the riskiest first' };

export function InboxPage() {
  const { filters, set, clear } = useUrlFilters(parseFilters);
  const outbox = useOutbox();
  const [news, setNews] = useState('');
  const list = useInbox(filters, outbox.state, (description) => setNews(`New: ${headlineOf(description).headline}`));
  const verdicts = useVerdicts(list.rows, outbox.decide);
  const [helpOpened, help] = useDisclosure(false);
  const keys = useInboxKeys(list.rows, verdicts, { undo: outbox.undoLast, help: help.open });
  const { verbs, selected } = verdicts;
  const columns = useMemo(() => inboxColumns(verbs, selected), [verbs, selected]);
  const card = useCallback((shown: InboxShown) => <RowCard shown={shown} verbs={verbs} selected={selected.has(shown.id)} />, [verbs, selected]);
  const narrowed = activeFilters(filters) > 0;

  return (
    <>
      <PageHeader
        title="Inbox"
        actions={
          <Button variant="default" size="xs" leftSection={<IconKeyboard size={16} />} onClick={help.open} visibleFrom="sm">
            Shortcuts
          </Button>
        }
      >
        {filters.stuck ? 'What no one can approve any more' : 'What waits for you'}, {ORDERS[filters.sort]}.
      </PageHeader>
      <FilterBar filters={filters} onChange={set} onClear={clear} />
      <Failures failures={outbox.state.failures} onDismiss={outbox.dismiss} />
      <SelectionBar verdicts={verdicts} rows={list.rows} total={list.hasMore ? list.totalCount : null} />
      <DataList
        // While a decided page makes room for the next one, the list is on its way rather than empty.
        list={list.rows.length === 0 && list.hasMore ? { ...list, status: 'loading' } : list}
        label="Checkpoints that wait for you"
        columns={columns}
        card={card}
        current={keys.current}
        steady
        empty={<EmptyInbox narrowed={narrowed} onClear={clear} />}
      />
      <RejectDialog verdicts={verdicts} />
      <ShortcutHelp opened={helpOpened} onClose={help.close} enabled={keys.enabled} onEnable={keys.setEnabled} />
      <VisuallyHidden role="status" aria-live="polite">
        {news}
      </VisuallyHidden>
      <VisuallyHidden role="status" aria-live="polite">
        {keys.spoken}
      </VisuallyHidden>
    </>
  );
}
