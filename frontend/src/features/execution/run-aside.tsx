import { Stack } from '@mantine/core';
import type { Plan, State } from './execution-documents';
import { RunCheckpoints } from './run-checkpoints';
import { RunDeliverables } from './run-deliverables';
import { RunLineage } from './run-lineage';

/** What belongs to an execution: where people are asked, what it left behind, where it came from and what came from it. */
export function RunAside({ plan, state }: { plan: Plan; state: State }) {
  return (
    <Stack component="aside" gap="md" aria-label="What belongs to this execution">
      <RunCheckpoints checkpoints={state.checkpoints} />
      <RunDeliverables id={plan.id} deliverables={state.deliverables} />
      <RunLineage plan={plan} state={state} />
    </Stack>
  );
}
