import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';

/** Opens what can be done for somebody. */
export function DotsButton({ name, ...props }: { name: string } & Omit<ComponentPropsWithRef<'button'>, 'color' | 'name'>) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Actions for ${name}`} {...props}>
      <IconDots size={18} />
    </ActionIcon>
  );
}
