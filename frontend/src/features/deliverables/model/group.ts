interface OfExecution {
  readonly id: string;
  readonly execution: { readonly id: string };
}

/** A line of the list: a deliverable, or the execution that the ones below it come from. */
export type Line<Row extends OfExecution> =
  | { id: string; kind: 'row'; row: Row }
  | { id: string; kind: 'execution'; execution: Row['execution']; count: number };

/*
 * A line is the same object for as long as what it shows is: the list then need not make it again when another page comes. What an
 * event has changed is another row, and so another line.
 */
const rowLines = new WeakMap<object, { id: string; kind: 'row'; row: unknown }>();
const headings = new WeakMap<object, { id: string; kind: 'execution'; execution: unknown; count: number }>();

function lineOf<Row extends OfExecution>(row: Row): Line<Row> {
  const known = rowLines.get(row) ?? { id: row.id, kind: 'row' as const, row };
  rowLines.set(row, known);
  return known as Line<Row>;
}

function headingOf<Row extends OfExecution>({ execution }: Row, count: number): Line<Row> {
  const before = headings.get(execution);
  const known = before?.count === count ? before : { id: `of ${execution.id}`, kind: 'execution' as const, execution, count };
  headings.set(execution, known);
  return known as Line<Row>;
}

/** Which of the rows stand in these lines; a heading stands for those below it. */
export function placesOf<Row extends OfExecution>(lines: readonly Line<Row>[], rows: readonly Row[]): number[] {
  const shown = new Set(lines.flatMap((line) => (line.kind === 'row' ? [line.id] : [])));
  return rows.flatMap(({ id }, place) => (shown.has(id) ? [place] : []));
}

/** Rows under the executions that made them; the execution whose newest row comes first stands first. */
export function groupByExecution<Row extends OfExecution>(rows: readonly Row[]): Line<Row>[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const members = groups.get(row.execution.id);
    if (members) members.push(row);
    else groups.set(row.execution.id, [row]);
  }
  return [...groups.values()].flatMap((members): Line<Row>[] => {
    const first = members[0];
    if (!first) return [];
    return [headingOf(first, members.length), ...members.map((row) => lineOf(row))];
  });
}
