import { Kbd, Modal, Stack, Switch } from '@mantine/core';
import { Fragment } from 'react';
import classes from './inbox.module.css';

const KEYS: { keys: string[]; does: string }[] = [
  { keys: ['j', 'k'], does: 'Go down, go up' },
  { keys: ['a'], does: 'Approve this, or what is selected' },
  { keys: ['r'], does: 'Reject this, or what is selected; asks why' },
  { keys: ['e'], does: 'Open it to change it before approving' },
  { keys: ['Enter'], does: 'Open it' },
  { keys: ['x'], does: 'Select it, or not' },
  { keys: ['z'], does: 'Undo, until it is sent' },
  { keys: ['Esc'], does: 'Select nothing' },
  { keys: ['?'], does: 'Show this' },
];

interface Props {
  opened: boolean;
  onClose: () => void;
  enabled: boolean;
  onEnable: (enabled: boolean) => void;
}

export function ShortcutHelp({ opened, onClose, enabled, onEnable }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="The inbox by keyboard">
      <Stack gap="lg">
        <dl className={classes.keys}>
          {KEYS.map(({ keys, does }) => (
            <Fragment key={does}>
              <dt>
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dt>
              <dd>{does}</dd>
            </Fragment>
          ))}
        </dl>
        <Switch
          label="Use single keys here"
          description="Switch them off if they get in the way of dictation or of your screen reader."
          checked={enabled}
          onChange={(event) => onEnable(event.currentTarget.checked)}
        />
      </Stack>
    </Modal>
  );
}
