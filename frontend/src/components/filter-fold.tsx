import { Box, Button, Collapse, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { usePhone } from '../lib/use-phone';

interface Props {
  /** What stays in sight on a phone. */
  first: ReactNode;
  /** How many of those behind the button are set. */
  active: number;
  onClear: () => void;
  children: ReactNode;
}

/** Filters of a list. On a phone, where they would take the place of what they find, most of them are behind a button. */
export function FilterFold({ first, active, onClear, children }: Props) {
  const phone = usePhone();
  const [opened, { toggle }] = useDisclosure(false);
  if (!phone) {
    return (
      <>
        {first}
        {children}
      </>
    );
  }
  return (
    <>
      <Group wrap="nowrap" w="100%">
        <Box flex={1} miw={0}>
          {first}
        </Box>
        <Button variant="default" flex="none" leftSection={<IconAdjustmentsHorizontal size={16} />} onClick={toggle} aria-expanded={opened}>
          {active > 0 ? `Filters (${active})` : 'Filters'}
        </Button>
        {active > 0 && (
          <Button variant="subtle" px={4} flex="none" onClick={onClear}>
            Clear
          </Button>
        )}
      </Group>
      <Collapse expanded={opened} w="100%">
        <Group gap="xs">{children}</Group>
      </Collapse>
    </>
  );
}
