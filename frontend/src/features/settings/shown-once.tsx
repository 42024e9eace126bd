import { Alert, Button, CopyButton, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconEyeOff } from '@tabler/icons-react';
import classes from './settings.module.css';

interface Props {
  /** What it is and what to do with it. */
  explanation: string;
  secret: string;
  onDone: () => void;
}

/** Something that nobody, not even the server, can show again. */
export function ShownOnce({ explanation, secret, onDone }: Props) {
  return (
    <Stack gap="sm">
      <Alert color="yellow" icon={<IconEyeOff size={20} />} title="This is shown only once">
        <Text size="sm">{explanation}</Text>
      </Alert>
      <output className={classes.secret} aria-label="Shown once">
        {secret}
      </output>
      <Group justify="flex-end">
        <CopyButton value={secret} timeout={3000}>
          {({ copied, copy }) => (
            <Button variant="default" leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />} onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
