import { percent } from '../lib/format';
import { Bar } from './bar';
import classes from './bar.module.css';

/** How sure the agent says it is, from 0 to 1; null when it did not say. */
export function ConfidenceBar({ value, width = 120 }: { value: number | null; width?: number | string }) {
  if (value === null) return <span className={classes.none}>Not given</span>;
  const color = value >= 0.8 ? 'brand' : value >= 0.5 ? 'yellow' : 'red';
  return (
    <span className={classes.share}>
      <Bar label="Confidence" percent={value * 100} text={percent(value)} color={color} height={8} width={width} />
      <strong>{percent(value)}</strong>
    </span>
  );
}
