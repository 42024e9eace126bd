import { IconCode, IconFile, IconFileText, IconPhoto, IconTable, type Icon } from '@tabler/icons-react';
import type { DeliverableType } from '../gql/enums';
import classes from './deliverable-icon.module.css';

const ICONS: Record<DeliverableType, Icon> = { DOCUMENT: IconFileText, CODE: IconCode, DATA: IconTable, MEDIA: IconPhoto, OTHER: IconFile };

/** What kind of thing it is, at a glance; the word stands elsewhere. */
export function DeliverableIcon({ type }: { type: DeliverableType }) {
  const Shape = ICONS[type] ?? IconFile;
  return (
    <span className={classes.icon} aria-hidden>
      <Shape size={17} stroke={1.7} />
    </span>
  );
}
