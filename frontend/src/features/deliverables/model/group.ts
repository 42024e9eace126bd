interface OfExecution {
  readonly id: string;
  readonly execution: { readonly id: string };
}

/** A line of the list: a deliverable, or the execution that the ones below it come from. */
export type Line<Row extends OfExecution> =
  | { id: string; kind: 'row'; row: Row }
  | { id: string; kind: 'execution'; execution: Row['execution']; count: number };

/** Rows under the executions that made them; the execution whose newest row comes first stands first. */
export function groupByExecution<Row extends OfExecution>(rows: readonly Row[]): Line<Row>[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) groups.set(row.execution.id, [...(groups.get(row.execution.id) ?? []), row]);
  return [...groups.values()].flatMap((members): Line<Row>[] => {
    const first = members[0];
    if (!first) return [];
    const { execution } = first;
    return [
      { id: `of ${execution.id}`, kind: 'execution', execution, count: members.length },
      ...members.map((row): Line<Row> => ({ id: row.id, kind: 'row', row })),
    ];
  });
}
