import { Text } from '@mantine/core';
import classes from '../deliverable.module.css';

/** The cells of a table. Its first row is taken for the names of the columns. */
export function Table({ rows, name }: { rows: readonly { readonly cells: readonly string[] }[]; name: string }) {
  const [head, ...body] = rows;
  if (!head) return <Text c="dimmed" size="sm">The table is empty.</Text>;
  const numeric = head.cells.map((_, column) => body.length > 0 && body.every(({ cells }) => isNumber(cells[column])));
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be within reach of the keyboard
    <div className={classes.table} role="region" aria-label={name} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.cells.map((cell, column) => (
              // oxlint-disable-next-line react/no-array-index-key -- columns have no other identity
              <th key={column} scope="col" data-number={numeric[column]}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map(({ cells }, row) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows have no other identity, and never move
            <tr key={row}>
              {cells.map((cell, column) => (
                // oxlint-disable-next-line react/no-array-index-key -- as above
                <td key={column} data-number={numeric[column]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function isNumber(cell: string | undefined): boolean {
  return cell === undefined || cell === '' || /^[-+]?[\d.,  ]+%?$/.test(cell);
}
