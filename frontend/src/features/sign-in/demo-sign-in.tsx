import { Button, Divider, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CodeText } from '../../lib/code-text';
import { describe } from '../../lib/errors';
import { leaveFor } from '../../lib/navigate';
import { useAction } from '../../lib/use-action';
import { FormProblem } from './form-problem';
import { demoVisitor, signInToDemo } from './model/demo';

/** One click into a demo. Nothing is shown where the server would refuse it. */
export function DemoSignIn({ next }: { next: string }) {
  const [visitor, setVisitor] = useState<string | null>(null);
  const attempt = useAction(async () => {
    await signInToDemo();
    await leaveFor(next);
  });

  useEffect(() => {
    let wanted = true;
    // A server that does not answer says so as soon as somebody tries to sign in.
    demoVisitor().then((name) => wanted && setVisitor(name), () => {});
    return () => {
      wanted = false;
    };
  }, []);

  if (visitor === null) return null;
  return (
    <Stack gap="xs">
      <Button size="md" loading={attempt.pending} onClick={() => void attempt.run()}>
        Look around as {visitor}
      </Button>
      <Text size="sm" c="dimmed" ta="center">
        This is a demo: its agents are simulated, and nothing leaves this machine.
      </Text>
      <FormProblem>{attempt.error !== null && <CodeText>{describe(attempt.error)}</CodeText>}</FormProblem>
      <Divider label="or sign in as somebody else" my="xs" color="var(--app-line)" />
    </Stack>
  );
}
