import type { Checkpoint } from './use-checkpoint';
import { ValueSection } from './value-section';

export function SupportingData({ checkpoint: { proposal } }: { checkpoint: Checkpoint }) {
  if (proposal.supportingData === null || proposal.supportingData === undefined) return null;
  return <ValueSection title="What helps to decide" value={proposal.supportingData} name="supporting data" nothing="Nothing was given." />;
}
