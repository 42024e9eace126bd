import { Loader } from '@mantine/core';
import { measureElement, useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import type { PagesState } from '../lib/pages';
import { usePageOffset } from '../lib/use-page-offset';
import { usePhone } from '../lib/use-phone';
import { DataRow, EmptyRow, Header } from './data-list-parts';
import classes from './data-list.module.css';
import { ErrorState } from './error-state';
import { createRowHeights, type RowKind } from './model/row-heights';
import { PageSkeleton } from './page-skeleton';
import { useGradualRows } from './use-gradual-rows';
import { useSteadyRows } from './use-steady-rows';

export interface Column<Row> {
  key: string;
  /** Never empty: screen readers name every cell by it. */
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** A track of a CSS grid: `2fr`, `120px`, `minmax(0, 1fr)`. */
  width: string;
  align?: 'start' | 'end';
}

interface Props<Row> {
  /** From `useConnection`. */
  list: PagesState<Row> & { loadMore: () => Promise<void>; refresh: () => Promise<void>; watch?: (first: number, last: number) => void };
  /** Names the list for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  /** The same row where there is no room for columns. */
  card: (row: Row) => ReactNode;
  empty: ReactNode;
  /** Marks the row that the keyboard is at; the list keeps it in sight. */
  current?: string | null;
  /** A press decides something here: rows that take the places of others cannot be pressed for a moment. */
  steady?: boolean;
  /** For a row that is a heading of those below it: what stands over all columns in place of cells. Null for other rows. */
  heading?: (row: Row) => ReactNode;
}

const EDGE_PX = 110;
/** The next page is asked for while there are still so many rows to scroll through. */
const AHEAD_ROWS = 80;

/** A long live list: a table where there is room, cards on a phone; only the rows in sight are in the page. */
export function DataList<Row extends { readonly id: string }>({ list, label, columns, card, empty, current = null, steady = false, heading }: Props<Row>) {
  const phone = usePhone();
  const { rows, hasMore, fetching, loadMore, watch, status, error } = list;
  const box = useRef<HTMLDivElement>(null);
  const offset = usePageOffset(box, status === 'ready' && rows.length > 0);

  const [heights] = useState(createRowHeights);
  const kindOf = (isHeading: boolean): RowKind => (isHeading ? 'heading' : phone ? 'card' : 'row');
  const isHeading = (row: Row | undefined) => row !== undefined && (heading?.(row) ?? null) !== null;

  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => heights.guess(kindOf(isHeading(rows[index]))),
    measureElement(element, entry, instance) {
      const height = measureElement(element, entry, instance);
      heights.learn(kindOf((element as HTMLElement).dataset['heading'] === 'true'), height);
      return height;
    },
    // A constant one while the rows are the same: with another one, the list would be measured as a whole at every turn of the wheel.
    getItemKey: useCallback((index: number) => rows[index]?.id ?? index, [rows]),
    overscan: 8,
    scrollMargin: offset,
    // What sticks to the edges of the window must not cover the row that the keyboard is at.
    scrollPaddingStart: EDGE_PX,
    scrollPaddingEnd: EDGE_PX,
  });
  const items = virtual.getVirtualItems();
  const made = useGradualRows(virtual);
  useSteadyRows(box, items, offset, steady);
  const inSight = (index: number) => virtual.range !== null && index >= virtual.range.startIndex && index <= virtual.range.endIndex;
  const firstSeen = items[0]?.index ?? 0;
  const lastSeen = items.at(-1)?.index ?? -1;

  useEffect(() => {
    if (hasMore && !fetching && lastSeen >= rows.length - AHEAD_ROWS) void loadMore();
  }, [hasMore, fetching, lastSeen, rows.length, loadMore]);

  useEffect(() => {
    if (lastSeen >= 0) watch?.(firstSeen, lastSeen);
  }, [watch, firstSeen, lastSeen]);

  useEffect(() => {
    const index = current === null ? -1 : rows.findIndex(({ id }) => id === current);
    if (index >= 0) virtual.scrollToIndex(index, { align: 'auto' });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only when the keyboard moves, not when rows come and go
  }, [current]);

  const template = useMemo(() => ({ '--columns': columns.map(({ width }) => width).join(' ') }) as CSSProperties, [columns]);

  if (status === 'loading') return <PageSkeleton />;
  if (status === 'failed') return <ErrorState error={error} onRetry={() => void list.refresh()} />;
  if (rows.length === 0) return empty;

  return (
    <div className={classes.list} data-cards={phone} style={template}>
      <div role={phone ? 'list' : 'table'} aria-label={label} aria-rowcount={phone ? undefined : (list.totalCount ?? -1) + 1}>
        {!phone && <Header columns={columns} />}
        <div ref={box} role={phone ? 'presentation' : 'rowgroup'} className={classes.body} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start, size, key }) => {
            const row = rows[index];
            // Nobody sees whether there is a place for a row outside of the window.
            if (!row || (!made.has(key) && !inSight(index))) return null;
            return made.has(key) ? (
              <DataRow
                key={key}
                row={row}
                index={index}
                top={start - offset}
                current={row.id === current}
                phone={phone}
                columns={columns}
                card={card}
                heading={heading}
                measure={virtual.measureElement}
              />
            ) : (
              <EmptyRow key={key} index={index} top={start - offset} height={size} phone={phone} />
            );
          })}
        </div>
      </div>
      <div role="status" className={classes.more}>
        {fetching && hasMore && <Loader size="sm" role="img" aria-label="Loading more" />}
      </div>
    </div>
  );
}
