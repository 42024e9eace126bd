import type { Look } from './model/status';
import classes from './bar.module.css';

interface Props {
  /** What is shown, for screen readers. */
  label: string;
  /** How much of it, from 0 to 100. */
  percent: number;
  /** The same in words. */
  text: string;
  color: Look['color'];
  height?: number;
  width?: number | string | undefined;
}

/** A share of a whole as a bar. Without the library's, because long lists make dozens for each screen. */
export function Bar({ label, percent, text, color, height = 5, width }: Props) {
  return (
    <div role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent} aria-valuetext={text} className={classes.bar} style={{ height, width }}>
      <div className={classes.done} style={{ width: `${percent}%`, background: `var(--mantine-color-${color}-filled)` }} />
    </div>
  );
}
