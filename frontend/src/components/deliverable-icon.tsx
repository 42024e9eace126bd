import { ThemeIcon } from '@mantine/core';
import { IconCode, IconFile, IconFileText, IconPhoto, IconTable, type Icon } from '@tabler/icons-react';
import type { DeliverableType } from '../gql/enums';

const ICONS: Record<DeliverableType, Icon> = { DOCUMENT: IconFileText, CODE: IconCode, DATA: IconTable, MEDIA: IconPhoto, OTHER: IconFile };

/** What kind of thing it is, at a glance; the word stands elsewhere. */
export function DeliverableIcon({ type }: { type: DeliverableType }) {
  const Shape = ICONS[type] ?? IconFile;
  return (
    <ThemeIcon variant="light" color="gray" size={30} aria-hidden>
      <Shape size={17} stroke={1.7} />
    </ThemeIcon>
  );
}
