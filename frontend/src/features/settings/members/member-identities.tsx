import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { RelativeTime } from '../../../components/relative-time';
import { graphql } from '../../../gql/documents';
import type { IdentityRowFragment } from '../../../gql/types';
import { CodeText, told } from '../../../lib/code-text';
import { CommandError, describe } from '../../../lib/errors';
import { useCommand } from '../../../lib/use-command';
import classes from '../settings.module.css';

graphql(`
  fragment IdentityRow on OutsideIdentity {
    issuer
    subject
    linkedAt
  }
`);

const LINK = graphql(`
  mutation LinkUserIdentity($input: LinkUserIdentityInput!) {
    linkUserIdentity(input: $input) {
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const UNLINK = graphql(`
  mutation UnlinkIdentity($input: UnlinkIdentityInput!) {
    unlinkIdentity(input: $input) {
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface Props {
  userId: string;
  identities: readonly IdentityRowFragment[];
  onChanged: () => void;
}

/** Which identities of the outside identity provider open somebody's account. */
export function MemberIdentities({ userId, identities, onChanged }: Props) {
  const [issuer, setIssuer] = useState('');
  const [subject, setSubject] = useState('');
  const link = useCommand(LINK, { success: 'Linked', quiet: true });
  const unlink = useCommand(UNLINK, { success: 'Unlinked' });
  const refused = link.error instanceof CommandError ? link.error : null;
  const [atIssuer, atSubject] = [refused?.at('input', 'issuer'), refused?.at('input', 'subject')];

  async function submit() {
    if (!(await link.run({ input: { userId, issuer: issuer.trim(), subject: subject.trim() } }))) return;
    setSubject('');
    onChanged();
  }

  return (
    <section aria-label="Identities">
      <Title order={3} size="h5" mb="xs">
        Identities
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Whoever has one of these at the identity provider can do everything that this person can.
      </Text>
      {identities.map((one) => (
        <div key={`${one.issuer} ${one.subject}`} className={classes.line}>
          <div>
            <Text size="sm" fw={600}>
              {one.subject}
            </Text>
            <Text size="xs" c="dimmed" component="div">
              {one.issuer} · linked <RelativeTime at={one.linkedAt} />
            </Text>
          </div>
          <Button
            size="xs"
            variant="default"
            loading={unlink.pending}
            onClick={async () => (await unlink.run({ input: { userId, issuer: one.issuer, subject: one.subject } })) && onChanged()}
          >
            Unlink
          </Button>
        </div>
      ))}
      <Stack component="form" gap="sm" mt="sm" onSubmit={(event) => (event.preventDefault(), void submit())}>
        <TextInput label="Issuer" description="As in the setting oidc-issuer" value={issuer} onChange={({ currentTarget }) => setIssuer(currentTarget.value)} error={told(atIssuer)} />
        <TextInput label="Subject" description="The sub of the person's tokens" value={subject} onChange={({ currentTarget }) => setSubject(currentTarget.value)} error={told(atSubject)} />
        {link.error && !atIssuer && !atSubject && (
          <Text size="sm" c="red">
            <CodeText>{describe(link.error)}</CodeText>
          </Text>
        )}
        <Group>
          <Button type="submit" variant="default" loading={link.pending} disabled={issuer === '' || subject === ''}>
            Link an identity
          </Button>
        </Group>
      </Stack>
    </section>
  );
}
