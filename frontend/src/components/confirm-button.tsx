import { Button, Group, Modal, Stack, Text, Textarea, type ButtonProps, type ModalProps } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';

interface Props extends Omit<ButtonProps, 'onClick'> {
  children: ReactNode;
  title: string;
  /** What will happen, and whether it can be undone. */
  explanation: ReactNode;
  confirmLabel: string;
  /** Asks for a reason, which is then handed over. */
  reason?: { label: string; required: boolean };
  /** The dialog's width, for explanations that need room. */
  dialogSize?: ModalProps['size'];
  /** The dialog closes when this says that it worked. */
  onConfirm: (reason: string) => Promise<boolean> | boolean;
}

/** A button for what cannot be taken back lightly: it asks first. */
export function ConfirmButton({ children, title, explanation, confirmLabel, reason, dialogSize, onConfirm, ...button }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  // A list may have a hundred of these buttons; a dialog is made for the one that is pressed.
  const [pressed, setPressed] = useState(false);
  const [pending, setPending] = useState(false);
  const [text, setText] = useState('');

  function ask() {
    // First the dialog, then open: it remembers what had the focus when it opens, and gives it back.
    flushSync(() => setPressed(true));
    open();
  }

  async function confirm() {
    setPending(true);
    const done = await Promise.resolve(onConfirm(text.trim())).finally(() => setPending(false));
    if (!done) return;
    setText('');
    close();
  }

  return (
    <>
      <Button {...button} onClick={ask}>
        {children}
      </Button>
      {pressed && (
        <Modal opened={opened} onClose={close} title={title} size={dialogSize}>
          <Stack component="form" onSubmit={(event) => (event.preventDefault(), void confirm())}>
            <Text size="sm" component="div">
              {explanation}
            </Text>
            {reason && (
              <Textarea
                label={reason.label}
                required={reason.required}
                value={text}
                onChange={(event) => setText(event.currentTarget.value)}
                autosize
                minRows={2}
                data-autofocus
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" color={button.color ?? 'red'} loading={pending}>
                {confirmLabel}
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </>
  );
}
