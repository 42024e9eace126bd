import { memo, type ReactNode } from 'react';
import type { Column } from './data-list';
import classes from './data-list.module.css';

export function Header<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <div role="rowgroup" className={classes.head}>
      <div role="row" className={classes.headRow}>
        {columns.map(({ key, header, align }) => (
          <div key={key} role="columnheader" className={classes.cell} data-align={align}>
            {header}
          </div>
        ))}
      </div>
    </div>
  );
}

interface RowProps<Row> {
  row: Row;
  index: number;
  /** How far below the top of the list it stands. */
  top: number;
  current: boolean;
  phone: boolean;
  columns: readonly Column<Row>[];
  card: (row: Row) => ReactNode;
  heading: ((row: Row) => ReactNode) | undefined;
  measure: (element: HTMLElement | null) => void;
}

/** One row. While the list scrolls, those in sight stay as they are and only those that come are made. */
export const DataRow = memo(function DataRow<Row>({ row, index, top, current, phone, columns, card, heading, measure }: RowProps<Row>) {
  const title = heading?.(row) ?? null;
  return (
    <div
      ref={measure}
      data-index={index}
      data-current={current}
      role={phone ? 'listitem' : 'row'}
      aria-rowindex={phone ? undefined : index + 2}
      data-heading={title !== null}
      className={phone ? classes.card : classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      {title !== null ? (
        <Heading phone={phone} columns={columns.length}>{title}</Heading>
      ) : phone ? (
        card(row)
      ) : (
        columns.map((column) => (
          <div key={column.key} role="cell" className={classes.cell} data-align={column.align}>
            {column.cell(row)}
          </div>
        ))
      )}
    </div>
  );
}) as <Row>(props: RowProps<Row>) => ReactNode;

/** The place of a row that is still to be made. It is never measured: it is as high as the row is taken to be. */
export function EmptyRow({ index, top, height, phone }: { index: number; top: number; height: number; phone: boolean }) {
  return (
    <div role={phone ? 'listitem' : 'row'} aria-rowindex={phone ? undefined : index + 2} aria-busy className={classes.empty} style={{ transform: `translateY(${top}px)`, height }}>
      <div role={phone ? undefined : 'cell'} />
    </div>
  );
}

function Heading({ phone, columns, children }: { phone: boolean; columns: number; children: ReactNode }) {
  if (phone) return <div className={classes.heading}>{children}</div>;
  return (
    <div role="cell" aria-colspan={columns} className={classes.heading}>
      {children}
    </div>
  );
}
