import { Card, Group, Text, ThemeIcon, Title } from '@mantine/core';
import { IconHandStop, IconShieldCheck } from '@tabler/icons-react';
import { ConfirmButton } from '../../components/confirm-button';
import { RelativeTime } from '../../components/relative-time';
import { graphql } from '../../gql/documents';
import type { PolicyInForceFragment } from '../../gql/types';
import { useCommand } from '../../lib/use-command';
import { useViewer } from '../../lib/use-viewer';
import classes from './policies.module.css';

const SET = graphql(`
  mutation SetEmergencyStop($input: SetEmergencyStopInput!) {
    setEmergencyStop(input: $input) {
      policy {
        emergencyStop
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

interface Props {
  policy: PolicyInForceFragment;
  onChanged: () => void;
}

/** The big red button, and what it says now. Approvers press it and lift it. */
export function EmergencyStop({ policy, onChanged }: Props) {
  const { can } = useViewer();
  const command = useCommand(SET);
  const on = policy.emergencyStop;

  async function set(stopped: boolean, reason: string): Promise<boolean> {
    const payload = await command.run({ input: { stopped, ...(reason === '' ? {} : { reason }) } });
    if (payload) onChanged();
    return payload !== null;
  }

  return (
    <Card component="section" aria-label="Emergency stop" className={classes.stop} data-on={on} mb="lg">
      <Group justify="space-between" gap="md">
        <Group gap="md" wrap="nowrap" flex="1 1 280px" align="flex-start">
          <ThemeIcon size={44} radius="xl" color={on ? 'red' : 'brand'} variant={on ? 'filled' : 'light'} aria-hidden>
            {on ? <IconHandStop size={24} /> : <IconShieldCheck size={24} />}
          </ThemeIcon>
          <div>
            <Title order={2}>{on ? 'Stopped: nothing is approved without people' : 'Rules may approve'}</Title>
            <Text size="sm" c={on ? undefined : 'dimmed'} component="div">
              {on ? (policy.emergencyStopReason ?? 'No reason was given.') : 'The emergency stop makes people decide everything, from the next proposal on.'}
              {on && policy.emergencyStopSince !== null && (
                <Text span inherit c="dimmed">
                  {' '}
                  Since <RelativeTime at={policy.emergencyStopSince} />.
                </Text>
              )}
            </Text>
          </div>
        </Group>
        {!on && can('APPROVER') && (
          <ConfirmButton
            size="lg"
            color="red"
            leftSection={<IconHandStop size={22} aria-hidden />}
            title="Stop all approvals without people?"
            explanation="From the next proposal on, no rule approves anything: people are asked. What was approved before goes on. Any approver can lift it."
            confirmLabel="Stop now"
            reason={{ label: 'Why? Everybody will see this.', required: true }}
            onConfirm={(reason) => set(true, reason)}
          >
            Emergency stop
          </ConfirmButton>
        )}
        {on && can('APPROVER') && (
          <ConfirmButton
            size="lg"
            color="red"
            variant="outline"
            title="Lift the emergency stop?"
            explanation="Rules approve again, from the next proposal on. What waits for people goes on waiting for them."
            confirmLabel="Lift it"
            onConfirm={() => set(false, '')}
          >
            Lift the stop
          </ConfirmButton>
        )}
      </Group>
    </Card>
  );
}
