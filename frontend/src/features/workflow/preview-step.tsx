import { Badge, Card, Group, Text } from '@mantine/core';
import { JsonView } from '../../components/json-view';
import { graphql } from '../../gql/documents';
import type { PreviewOutcome, PreviewOutputSource } from '../../gql/enums';
import type { StepPreviewPartsFragment } from '../../gql/types';
import { CodeText } from '../../lib/code-text';
import classes from './workflow.module.css';

graphql(`
  fragment StepPreviewParts on StepPreview {
    key
    outcome
    reason
    input
    output
    outputSource
  }
`);

const OUTCOMES: Record<PreviewOutcome, { label: string; color: string }> = {
  RUNS: { label: 'Would run', color: 'brand' },
  SKIPPED: { label: 'Would be skipped', color: 'gray' },
  FAILS: { label: 'Could not run', color: 'red' },
};

const SOURCES: Record<PreviewOutputSource, string> = { COMPUTED: 'computed', GIVEN: 'as given', MADE_UP: 'made up from the schema' };

/** What would become of one step: what it would get, and what those after it would see. */
export function PreviewStep({ step, number }: { step: StepPreviewPartsFragment; number: number }) {
  const { label, color } = OUTCOMES[step.outcome];
  return (
    <Card component="section" aria-label={`Step ${step.key}`}>
      <Group gap="sm" mb={4}>
        <Text fw={600}>
          {number}. {step.key}
        </Text>
        <Badge color={color}>{label}</Badge>
        {step.reason && (
          <Text size="sm" c="dimmed">
            <CodeText>{step.reason}</CodeText>
          </Text>
        )}
      </Group>
      {step.outcome !== 'SKIPPED' && (
        <div className={classes.values}>
          <div>
            <Text size="xs" fw={600}>
              Gets
            </Text>
            <JsonView value={step.input ?? null} name={`input of ${step.key}`} maxHeight={220} />
          </div>
          <div>
            <Text size="xs" fw={600}>
              Gives{step.outputSource ? ` (${SOURCES[step.outputSource]})` : ''}
            </Text>
            <JsonView value={step.output ?? null} name={`output of ${step.key}`} maxHeight={220} />
          </div>
        </div>
      )}
    </Card>
  );
}
