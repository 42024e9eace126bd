import { ActionIcon, CopyButton as Copy, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Copies a text. `what` names it for who cannot see the icon. */
export function CopyButton({ value, what }: { value: string; what: string }) {
  return (
    <Copy value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon variant="subtle" color={copied ? 'brand' : 'gray'} onClick={copy} aria-label={copied ? 'Copied' : `Copy ${what}`}>
            {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  );
}
