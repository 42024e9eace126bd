import { Group, SegmentedControl, Text } from '@mantine/core';
import { CodeEditor } from '../../components/code-editor/code-editor';
import { WorkflowGraph } from '../../components/workflow-graph/workflow-graph';
import { showFailure } from '../../lib/notify';
import { ProblemList } from './problem-list';
import type { Definition } from './use-definition';
import classes from './workflow.module.css';

const FORMATS = [
  { value: 'yaml', label: 'YAML' },
  { value: 'json', label: 'JSON' },
];

/** The document with marks at what is wrong, and the graph that it makes, both as one types. */
export function DefinitionEditor({ document, readOnly = false }: { document: Definition; readOnly?: boolean }) {
  function choose(format: string) {
    if (!document.changeFormat(format === 'json' ? 'json' : 'yaml')) showFailure('Mend the text first: what cannot be read cannot be written in another format.');
  }
  return (
    <div className={classes.editing}>
      <div>
        <Group justify="space-between" mb="xs">
          <SegmentedControl size="xs" data={FORMATS} value={document.format} onChange={choose} aria-label="Format" />
          <Text size="xs" c="dimmed">
            The server keeps the document as JSON: comments are not kept.
          </Text>
        </Group>
        <CodeEditor
          value={document.text}
          onChange={document.setText}
          language={document.format}
          diagnostics={document.marks}
          readOnly={readOnly}
          label="Definition of the workflow"
          minHeight={320}
          maxHeight="min(620px, 70dvh)"
        />
      </div>
      <div>
        <ProblemList document={document} />
        {document.steps.length > 0 && <WorkflowGraph steps={document.steps} label="Steps of the document" />}
      </div>
    </div>
  );
}
