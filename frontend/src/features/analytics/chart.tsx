import { Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import classes from './analytics.module.css';
import { FigureTable } from './figure-table';
import { isEmpty, type ChartRow } from './model/rows';

export interface Series {
  name: string;
  color: string;
}

export interface ChartProps {
  rows: readonly ChartRow[];
  series: readonly Series[];
  kind: 'pile' | 'groups' | 'area';
  format: (value: number) => string;
  /** There are no halves of them. */
  counted?: boolean;
  /** They are seconds: the scale has round times. */
  seconds?: boolean;
  /** With the names beside the bars, where they have room. */
  sideways?: boolean;
}

const Impl = lazy(() => import('./chart-impl'));

/** A chart, and the same figures as a table: for who cannot see it, and for who wants to know exactly. */
export function Chart({ title, empty, ...props }: ChartProps & { title: string; empty: string }) {
  if (isEmpty(props.rows)) {
    return (
      <Text size="sm" c="dimmed" py="lg">
        {empty}
      </Text>
    );
  }
  return (
    <figure className={classes.figure} aria-label={title}>
      <div role="img" aria-label={`Chart: ${title}. The same figures are in the table below.`}>
        <Suspense fallback={<Skeleton height={260} radius="md" />}>
          <Impl {...props} />
        </Suspense>
      </div>
      <details className={classes.details}>
        <summary>As a table</summary>
        <FigureTable
          label={title}
          rows={props.rows.map((row) => ({ key: row.label, cells: [row.label, ...props.series.map(({ name }) => props.format(Number(row[name] ?? 0)))] }))}
          columns={['When or what', ...props.series.map(({ name }) => name)]}
        />
      </details>
    </figure>
  );
}
