import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlaneDeparture } from '@tabler/icons-react';
import { useState } from 'react';
import { PersonPicker } from '../../../components/person-picker';
import { RelativeTime } from '../../../components/relative-time';
import { graphql } from '../../../gql/documents';
import type { OutOfOfficeUserFragment } from '../../../gql/types';
import { CodeText, told } from '../../../lib/code-text';
import { CommandError, describe } from '../../../lib/errors';
import { useCommand } from '../../../lib/use-command';
import { absenceErrors, absenceInput, type Absence, type AbsenceErrors } from '../model/absence';
import { Section } from '../section';

graphql(`
  fragment OutOfOfficeUser on User {
    id
    outOfOffice {
      startsAt
      endsAt
      delegate {
        id
        displayName
      }
    }
  }
`);

const SET = graphql(`
  mutation SetOutOfOffice($input: SetOutOfOfficeInput!) {
    setOutOfOffice(input: $input) {
      outOfOffice {
        startsAt
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const NOTHING: Absence = { delegateId: null, startsAt: '', endsAt: '' };

export function OutOfOffice({ user, onChanged }: { user: OutOfOfficeUserFragment; onChanged: () => void }) {
  const [absence, setAbsence] = useState(NOTHING);
  const [errors, setErrors] = useState<AbsenceErrors>({});
  const command = useCommand(SET, { quiet: true });
  const change = (changes: Partial<Absence>) => setAbsence((before) => ({ ...before, ...changes }));
  const refused = command.error instanceof CommandError ? command.error.at('input', 'delegateId') : undefined;

  async function save() {
    const wrong = absenceErrors(absence, Date.now());
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    if (await command.run({ input: absenceInput(absence) })) {
      setAbsence(NOTHING);
      onChanged();
    }
  }

  const now = user.outOfOffice;
  return (
    <Section title="Out of office" explanation="Somebody else decides in your place for a time. It is recorded who decided for whom.">
      {now ? (
        <Alert color="blue" icon={<IconPlaneDeparture size={20} />} title={`${now.delegate?.displayName ?? 'Somebody'} decides in your place`}>
          <Group justify="space-between">
            <Text size="sm">
              From <RelativeTime at={now.startsAt} /> until <RelativeTime at={now.endsAt} />
            </Text>
            <Button variant="default" size="xs" loading={command.pending} onClick={async () => (await command.run({ input: { delegateId: null } })) && onChanged()}>
              I am back
            </Button>
          </Group>
        </Alert>
      ) : (
        <Stack component="form" gap="sm" maw={560} onSubmit={(event) => (event.preventDefault(), void save())}>
          <PersonPicker label="Who decides in your place" value={absence.delegateId} onChange={(delegateId) => change({ delegateId })} error={errors.delegateId ?? told(refused)} except={user.id} />
          <Group grow align="flex-start">
            <TextInput type="datetime-local" label="From" description="Empty: from now on" value={absence.startsAt} onChange={({ currentTarget }) => change({ startsAt: currentTarget.value })} />
            <TextInput type="datetime-local" label="Until" description="In your own time zone" value={absence.endsAt} onChange={({ currentTarget }) => change({ endsAt: currentTarget.value })} error={errors.endsAt} />
          </Group>
          {command.error && refused === undefined && <Text size="sm" c="var(--mantine-color-error)" role="alert"><CodeText>{describe(command.error)}</CodeText></Text>}
          <Group>
            <Button type="submit" variant="default" loading={command.pending}>
              Set out of office
            </Button>
          </Group>
        </Stack>
      )}
    </Section>
  );
}
