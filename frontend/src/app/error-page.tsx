import { Button, Center, Container, Stack, Text, Title } from '@mantine/core';
import { useRouteError } from 'react-router';
import { ApiError, describe } from '../lib/errors';

/** A page that broke, in words. A new version of the server takes the old one's scripts away, so a reload is what helps most. */
export function ErrorPage({ inShell = false }: { inShell?: boolean }) {
  const error = useRouteError();
  const outdated = error instanceof TypeError && /import|module|fetch/i.test(error.message);
  return (
    <Center mih={inShell ? '60dvh' : '100dvh'} p="md">
      <Container size="xs">
        <Stack gap="sm" align="flex-start" role="alert">
          <Title order={1}>{outdated ? 'There is a new version' : 'This page broke'}</Title>
          <Text c="dimmed">
            {outdated
              ? 'A part of the console could not be loaded, most likely because the server was updated. Reload to get the new version.'
              : `${error instanceof ApiError ? describe(error) : 'Something unexpected happened while showing it.'} Nothing that you decided is lost.`}
          </Text>
          <Button onClick={() => location.reload()}>Reload</Button>
        </Stack>
      </Container>
    </Center>
  );
}
