import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';
import type { ChartProps } from './chart';

/** The library's charts. Their own keyboard layer says nothing that the table does not say better. */
export default function ChartImpl({ rows, series, kind, format, counted = false }: ChartProps) {
  const shared = {
    h: 260,
    data: rows.map((row) => ({ ...row })),
    dataKey: 'label',
    series: series.map((one) => ({ ...one })),
    valueFormatter: format,
    withLegend: series.length > 1,
    // In the order of the pile, not of the alphabet.
    legendProps: { verticalAlign: 'bottom' as const, itemSorter: null },
    gridAxis: 'x' as const,
    tickLine: 'none' as const,
    xAxisProps: { minTickGap: 24 },
    yAxisProps: { width: 64, allowDecimals: !counted },
  };
  if (kind === 'area') return <AreaChart {...shared} curveType="monotone" withDots={rows.length < 40} areaChartProps={{ accessibilityLayer: false }} />;
  return (
    <BarChart
      {...shared}
      type={kind === 'pile' ? 'stacked' : 'default'}
      maxBarWidth={42}
      barChartProps={{ accessibilityLayer: false }}
    />
  );
}
