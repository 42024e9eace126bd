import { useCallback } from 'react';
import { itemList } from './model/items';
import type { Checkpoint } from './use-checkpoint';
import { ValueSection } from './value-section';

/** Exactly what will be done, and with what. */
export function ProposedAction({ checkpoint: { kind, proposal, agent, outcome } }: { checkpoint: Checkpoint }) {
  const { items } = proposal;
  const lists = useCallback((values: readonly unknown[]) => (items.length > 0 ? itemList(values, items) : null), [items]);
  // What may be done is what was approved in the end, not what was proposed.
  const parameters = outcome?.approvedParameters ?? proposal.parameters;
  if (kind === 'CLARIFICATION' && isEmpty(parameters)) return null;
  return (
    <ValueSection
      title={outcome ? 'What may be done' : 'The proposed action'}
      note={proposal.operationType}
      value={parameters}
      // A worker that asks in the middle of its task has parameters of its own, which its agent's schema says nothing of.
      schema={kind === 'STEP' ? agent?.inputSchema : null}
      lists={lists}
      name="parameters"
      nothing="It has no parameters."
    />
  );
}

function isEmpty(value: unknown): boolean {
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
