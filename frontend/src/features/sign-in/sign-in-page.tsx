import { Alert, Card, Center, Divider, Group, Loader, Stack, Tabs, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import mark from '../../assets/mark.svg';
import { useApiToken } from '../../lib/use-stores';
import { useTitle } from '../../lib/use-title';
import { DemoSignIn } from './demo-sign-in';
import { KeptToken } from './kept-token';
import { LinkProblem } from './link-problem';
import { PasswordForm } from './password-form';
import classes from './sign-in.module.css';
import { TokenForm } from './token-form';
import { useSignInLink } from './use-sign-in-link';

export function SignInPage({ next, ended }: { next: string; ended: boolean }) {
  useTitle('Sign in');
  const [link, redeem] = useSignInLink(next);
  const kept = useApiToken() !== null;

  return (
    <div className={classes.page}>
      <Stack component="header" align="center" gap={6}>
        <img src={mark} alt="" width="48" height="48" />
        <Text fw={650} fz="xl">
          Countersign
        </Text>
        <Text c="dimmed" size="sm">
          Agents propose, people countersign.
        </Text>
      </Stack>
      <Card component="main" className={classes.card} padding="xl">
        <Stack>
          <Title order={1} size="h2">
            Sign in
          </Title>
          {ended && (
            <Text size="sm" role="status">
              Your session has ended. Sign in to go on where you were.
            </Text>
          )}
          <div role="status" className="live-region">{link.status === 'redeeming' && <Redeeming />}</div>
          <div role="alert" className="live-region">
            {(link.status === 'refused' || link.status === 'failed') && (
              <Alert color="red" role="presentation" icon={<IconAlertTriangle size={18} />}>
                <LinkProblem link={link} onRetry={redeem} />
              </Alert>
            )}
          </div>
          {link.status !== 'redeeming' && (
            <>
              {kept && <KeptToken next={next} />}
              <DemoSignIn next={next} />
              <Ways next={next} />
            </>
          )}
        </Stack>
      </Card>
    </div>
  );
}

function Ways({ next }: { next: string }) {
  return (
    <Tabs defaultValue="password" variant="default" keepMounted={false}>
      <Tabs.List grow mb="md">
        <Tabs.Tab value="password">
          Password
        </Tabs.Tab>
        <Tabs.Tab value="token">
          API token
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="password">
        <PasswordForm next={next} />
        <Divider my="md" color="var(--app-line)" />
        <Text size="sm" c="dimmed">
          No password yet? Open the one-time link that you were sent, or paste it into the address bar of this page.
        </Text>
      </Tabs.Panel>
      <Tabs.Panel value="token">
        <TokenForm next={next} />
      </Tabs.Panel>
    </Tabs>
  );
}

function Redeeming() {
  return (
    <Center py="lg">
      <Group gap="sm">
        <Loader size="sm" aria-hidden />
        <Text size="sm">Signing you in with your link…</Text>
      </Group>
    </Center>
  );
}
