import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';
import { ValueViews } from './value-views';

export function SupportingData({ checkpoint: { proposal } }: { checkpoint: Checkpoint }) {
  if (proposal.supportingData === null || proposal.supportingData === undefined) return null;
  return (
    <Section title="What helps to decide">
      <ValueViews value={proposal.supportingData} name="supporting data" nothing="Nothing was given." />
    </Section>
  );
}
