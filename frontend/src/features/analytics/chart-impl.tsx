import '@mantine/charts/styles.css';
import { AreaChart, BarChart } from '@mantine/charts';
import { durationTicks } from '../../lib/duration-steps';
import type { ChartProps } from './chart';

const HEIGHT = 260;
const ROW_HEIGHT = 30;
/** For the scale and the legend. */
const EDGES = 80;

/** The library's charts. Their own keyboard layer says nothing that the table does not say better. */
export default function ChartImpl({ rows, series, kind, format, counted = false, seconds = false, sideways = false }: ChartProps) {
  const largest = Math.max(0, ...rows.flatMap((row) => series.map(({ name }) => Number(row[name] ?? 0))));
  const ticks = durationTicks(largest);
  const scale = { allowDecimals: !counted, ...(seconds && { ticks, domain: [0, ticks.at(-1) ?? 0] }) };
  const shared = {
    h: sideways ? rows.length * ROW_HEIGHT + EDGES : HEIGHT,
    data: rows.map((row) => ({ ...row })),
    dataKey: 'label',
    series: series.map((one) => ({ ...one })),
    valueFormatter: format,
    withLegend: series.length > 1,
    // In the order of the pile, not of the alphabet.
    legendProps: { verticalAlign: 'bottom' as const, itemSorter: null },
    gridAxis: sideways ? ('y' as const) : ('x' as const),
    tickLine: 'none' as const,
    xAxisProps: sideways ? scale : { minTickGap: 24 },
    yAxisProps: sideways ? { width: 150, interval: 0 } : { width: seconds ? 84 : 64, ...scale },
  };
  if (kind === 'area') return <AreaChart {...shared} curveType="monotone" withDots={rows.length < 40} areaChartProps={{ accessibilityLayer: false }} />;
  return (
    <BarChart
      {...shared}
      orientation={sideways ? 'vertical' : 'horizontal'}
      type={kind === 'pile' ? 'stacked' : 'default'}
      maxBarWidth={sideways ? 18 : 42}
      barChartProps={{ accessibilityLayer: false }}
    />
  );
}
