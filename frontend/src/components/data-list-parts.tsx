import type { ReactNode } from 'react';
import type { Column } from './data-list';
import classes from './data-list.module.css';

export function Header<Row>({ columns, template }: { columns: readonly Column<Row>[]; template: { gridTemplateColumns: string } }) {
  return (
    <div role="rowgroup" className={classes.head}>
      <div role="row" className={classes.headRow} style={template}>
        {columns.map(({ key, header, align }) => (
          <div key={key} role="columnheader" className={classes.cell} data-align={align}>
            {header}
          </div>
        ))}
      </div>
    </div>
  );
}

export function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  return (
    <div role="cell" className={classes.cell} data-align={column.align}>
      {column.cell(row)}
    </div>
  );
}

export function Heading({ phone, columns, children }: { phone: boolean; columns: number; children: ReactNode }) {
  if (phone) return <div className={classes.heading}>{children}</div>;
  return (
    <div role="cell" aria-colspan={columns} className={classes.heading}>
      {children}
    </div>
  );
}
