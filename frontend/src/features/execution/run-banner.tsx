import { Alert, Anchor, Group, Spoiler, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconHandStop, IconPlayerPause, IconPlayerStop } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { ExecutionStatus } from '../../gql/enums';
import { CodeText } from '../../lib/code-text';
import { headlineOf } from '../../lib/headline';
import type { Plan, State } from './execution-documents';
import { failureKind } from './model/failure';
import { outcomeOf } from './model/outcome';
import type { LiveRun } from './use-run';

interface Props {
  plan: Plan;
  state: State;
  live: LiveRun;
  onStep: (key: string) => void;
}

const ICONS: Partial<Record<ExecutionStatus, typeof IconCircleCheck>> = {
  COMPLETED: IconCircleCheck,
  CANCELLED: IconPlayerStop,
  AWAITING_APPROVAL: IconHandStop,
  PAUSED: IconPlayerPause,
};

/** How it ended, and why; or what it waits for. Screen readers are told when it changes. */
export function RunBanner({ state, live, onStep }: Props) {
  const outcome = outcomeOf(state);
  const Icon = ICONS[state.status] ?? IconAlertTriangle;
  return (
    <div aria-live="polite" className="live-region">
      {outcome && (
        <Alert color={outcome.color} icon={<Icon size={20} />} title={outcome.title} role="status" py="sm">
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}><CodeText>{outcome.text}</CodeText></Text>
          {state.status === 'FAILED' && state.error && <Failure error={state.error} onStep={onStep} />}
          {state.status === 'CANCELLED' && <StopReason live={live} />}
          {state.status === 'AWAITING_APPROVAL' && <Waiting state={state} />}
        </Alert>
      )}
    </div>
  );
}

/** Details are cut between their lines, never through one. */
const LINE = 18;
const THREE_LINES = 3 * LINE;

function Failure({ error, onStep }: { error: NonNullable<State['error']>; onStep: (key: string) => void }) {
  return (
    <>
      {error.details && (
        <Spoiler maxHeight={THREE_LINES} showLabel="Show all details" hideLabel="Show less" mt={6} styles={{ control: { fontSize: 'var(--mantine-font-size-xs)', color: 'inherit', textDecoration: 'underline' } }}>
          <Text size="xs" ff="monospace" lh={`${LINE}px`} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{error.details}</Text>
        </Spoiler>
      )}
      <Group gap="md" mt={6}>
        <Text size="xs">
          {failureKind(error.code)} · {error.retryable ? 'trying again may help' : 'trying again the same way will not help'}
        </Text>
        {error.stepKey && (
          <Anchor component="button" type="button" size="xs" c="inherit" underline="always" onClick={() => onStep(error.stepKey ?? '')}>
            Look at the step
          </Anchor>
        )}
      </Group>
    </>
  );
}

function StopReason({ live }: { live: LiveRun }) {
  const event = live.events.findLast(({ __typename }) => __typename === 'ExecutionCancelled');
  if (event?.__typename !== 'ExecutionCancelled') return null;
  const who = event.actor.displayName;
  return (
    <Text size="sm" mt={4}>
      {[who && `By ${who}.`, event.reason && `“${event.reason}”`].filter(Boolean).join(' ')}
    </Text>
  );
}

function Waiting({ state: { checkpoints } }: { state: State }) {
  return checkpoints
    .filter(({ status }) => status === 'PENDING')
    .map(({ id, description }) => (
      <Anchor key={id} component={Link} to={`/checkpoints/${id}`} size="sm" c="inherit" underline="always" display="block" mt={4}>
        {headlineOf(description).headline}
      </Anchor>
    ));
}
