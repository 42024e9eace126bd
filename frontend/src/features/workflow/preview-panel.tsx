import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { ErrorState } from '../../components/error-state';
import { SchemaForm } from '../../components/schema-form/schema-form';
import { graphql } from '../../gql/documents';
import type { PreviewWorkflowInput } from '../../gql/types';
import { CodeText } from '../../lib/code-text';
import { toApiError } from '../../lib/send-exchange';
import { inputSchemaOf, sampleInput, valueOf } from './model/document';
import { PreviewStep } from './preview-step';
import classes from './workflow.module.css';

const PREVIEW = graphql(`
  query PreviewWorkflow($input: PreviewWorkflowInput!) {
    previewWorkflow(input: $input) {
      input
      problems {
        path
        message
      }
      steps {
        ...StepPreviewParts
      }
    }
  }
`);

/** What each step would get, from sample data, without running anything. It is about what is in the editor, saved or not. */
export function PreviewPanel({ source }: { source: string }) {
  const definition = useMemo(() => valueOf(source), [source]);
  const [edited, setEdited] = useState<unknown>();
  const [outputs, setOutputs] = useState<unknown>({});
  const [valid, setValid] = useState(true);
  // The first one is about an input that the server makes up: a form full of empty fields would only show what fails.
  const [asked, setAsked] = useState<PreviewWorkflowInput>(() => ({ source, outputs }));
  const [{ data, error, fetching }, ask] = useQuery({ query: PREVIEW, variables: { input: asked } });
  const preview = data?.previewWorkflow;
  const input = edited ?? preview?.input ?? sampleInput(definition);
  return (
    <div className={classes.preview}>
      <Card component="section" aria-label="Sample data">
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            Goes through the steps with sample data and runs nothing. Outputs that you do not give are computed where nothing is touched, or made
            up from schemas.
          </Text>
          <SchemaForm schema={inputSchemaOf(definition)} value={input} onChange={setEdited} label="Sample input" />
          <SchemaForm schema={null} value={outputs} onChange={setOutputs} onValidity={setValid} label="Sample outputs, by the keys of steps" />
          <Group>
            <Button leftSection={<IconEye size={16} />} loading={fetching} disabled={!valid} onClick={() => setAsked({ source, input, outputs })}>
              Preview
            </Button>
          </Group>
        </Stack>
      </Card>
      <Stack gap="md">
        {error && <ErrorState error={toApiError(error)} onRetry={() => ask({ requestPolicy: 'network-only' })} />}
        {preview && preview.problems.length > 0 && (
          <Alert color="red" title="The document has problems">
            {preview.problems.map(({ path, message }) => (
              <Text key={`${path} ${message}`} size="sm">
                <b>{path || 'The document'}:</b> <CodeText>{message}</CodeText>
              </Text>
            ))}
          </Alert>
        )}
        {preview && preview.steps.length > 0 && (
          <section aria-label="Steps in the order in which they would run">
            <Title order={2} size="h3" mb="sm">
              What would happen
            </Title>
            <Stack gap="sm">
              {preview.steps.map((step, index) => (
                <PreviewStep key={step.key} step={step} number={index + 1} />
              ))}
            </Stack>
          </section>
        )}
      </Stack>
    </div>
  );
}
