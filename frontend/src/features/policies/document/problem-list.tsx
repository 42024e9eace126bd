import { List, Text } from '@mantine/core';
import { marksOf, type Problem } from '../model/problems';
import { CodeText } from '../../../lib/code-text';

interface Props {
  document: string;
  problems: readonly Problem[];
  /** What is probably a mistake, and can be saved all the same. */
  warnings: readonly Problem[];
  checking: boolean;
  changed: boolean;
}

/** The same as the marks in the editor, in words: for who cannot see or point at them. */
export function ProblemList({ document, problems, warnings, checking, changed }: Props) {
  return (
    <div role="status" aria-label="Validation" style={{ flex: '1 1 280px', minWidth: 0 }}>
      {!changed && <Text size="sm" c="dimmed">This is what is in force.</Text>}
      {changed && checking && <Text size="sm" c="dimmed">Checking…</Text>}
      {changed && !checking && problems.length === 0 && (
        <Text size="sm" c="brand" fw={600}>
          No problems. Try it on a proposal or back-test it before you save it.
        </Text>
      )}
      {changed && !checking && problems.length > 0 && (
        <>
          <Text size="sm" fw={600} c="var(--mantine-color-error)">
            {problems.length === 1 ? 'One problem' : `${problems.length} problems`}
          </Text>
          <Places document={document} problems={problems} />
        </>
      )}
      {changed && !checking && warnings.length > 0 && (
        <>
          <Text size="sm" fw={600} mt="xs">
            {warnings.length === 1 ? 'One warning' : `${warnings.length} warnings`}
          </Text>
          <Places document={document} problems={warnings} />
        </>
      )}
    </div>
  );
}

function Places({ document, problems }: { document: string; problems: readonly Problem[] }) {
  return (
    <List size="sm" spacing={2}>
      {marksOf(document, problems).map(({ line, column, message }) => (
        <List.Item key={`${line} ${column} ${message}`}>
          <Text span inherit c="dimmed">
            Line {line}, column {column}:
          </Text>{' '}
          <CodeText>{message}</CodeText>
        </List.Item>
      ))}
    </List>
  );
}
