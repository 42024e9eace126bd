import { Drawer, Group, Text } from '@mantine/core';
import { usePhone } from '../../lib/use-phone';
import { StatusBadge } from '../../components/status-badge';
import type { GraphStep } from '../../components/workflow-graph/graph';
import type { Plan, State } from './execution-documents';
import { StepDetails } from './step-details';
import type { LiveRun } from './use-run';

interface Props {
  plan: Plan;
  state: State;
  live: LiveRun;
  steps: readonly GraphStep[];
  stepKey: string | null;
  onClose: () => void;
}

/** One step beside the graph, so that one can go from step to step; on a phone in front of it. */
export function StepDrawer({ plan, state, live, steps, stepKey, onClose }: Props) {
  const phone = usePhone();
  const step = steps.find(({ key }) => key === stepKey);
  const facts = state.steps.find(({ key }) => key === stepKey);
  return (
    <Drawer
      opened={step !== undefined}
      onClose={onClose}
      position="right"
      size={phone ? '100%' : 520}
      withOverlay={phone}
      lockScroll={phone}
      trapFocus={phone}
      returnFocus
      shadow="xl"
      title={
        step && (
          <Group gap="sm">
            <Text fw={650} size="lg" style={{ overflowWrap: 'anywhere' }}>
              {step.key}
            </Text>
            <StatusBadge of="step" status={step.status ?? 'PENDING'} />
          </Group>
        )
      }
    >
      {step && facts && <StepDetails key={step.key} plan={plan} state={state} live={live} steps={steps} step={step} facts={facts} />}
    </Drawer>
  );
}
