import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './analytics.module.css';

interface Props {
  label: string;
  columns: readonly string[];
  /** The first cell names the row. */
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
}

/** As many as the API tells of: where there are so many, there may be more. */
const MOST = 100;

/** Figures in columns, all at the right but the first. */
export function FigureTable({ label, columns, rows }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be within reach of the keyboard
    <div className={classes.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [name, ...cells] }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={columns[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length >= MOST && (
        <Text size="xs" c="dimmed" p="xs">
          These are the first {MOST}. Choose a workflow or an agent above to see others.
        </Text>
      )}
    </div>
  );
}
