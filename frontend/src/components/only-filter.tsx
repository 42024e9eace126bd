import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';

/** A filter that only a link sets: it can be seen, and taken away. */
export function OnlyFilter({ children, onClear }: { children: string; onClear: () => void }) {
  return (
    <Button variant="light" rightSection={<IconX size={14} aria-hidden />} aria-label={`${children}: show all`} onClick={onClear}>
      {children}
    </Button>
  );
}
