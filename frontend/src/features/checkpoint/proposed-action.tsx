import { Text } from '@mantine/core';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';
import { ValueViews } from './value-views';

/** Exactly what will be done, and with what. */
export function ProposedAction({ checkpoint: { kind, proposal, agent, outcome } }: { checkpoint: Checkpoint }) {
  // What may be done is what was approved in the end, not what was proposed.
  const parameters = outcome?.approvedParameters ?? proposal.parameters;
  if (kind === 'CLARIFICATION' && isEmpty(parameters)) return null;
  return (
    <Section
      title={outcome ? 'What may be done' : 'The proposed action'}
      aside={
        <Text size="sm" c="dimmed">
          {proposal.operationType}
        </Text>
      }
    >
      <ValueViews value={parameters} schema={kind === 'STEP' ? agent?.inputSchema : null} name="parameters" nothing="It has no parameters." />
    </Section>
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
