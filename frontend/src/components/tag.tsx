import type { ReactNode } from 'react';
import type { Look } from './model/status';
import classes from './tag.module.css';

interface Props {
  color: Look['color'];
  icon?: ReactNode;
  small?: boolean;
  outlined?: boolean;
  children: ReactNode;
}

/** A badge for rows of long lists. The library's own costs as much as the rest of a row, and a list makes dozens for each screen. */
export function Tag({ color, icon, small, outlined, children }: Props) {
  return (
    <span className={classes.tag} data-color={color} data-small={small || undefined} data-outlined={outlined || undefined}>
      {icon}
      <span className={classes.label}>{children}</span>
    </span>
  );
}
