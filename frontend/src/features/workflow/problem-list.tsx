import { Alert, List } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { CodeText } from '../../lib/code-text';
import type { Definition } from './use-definition';

/** The marks of the editor as a list, for who cannot see or point at them. */
export function ProblemList({ document: { marks, valid, checking, checkFailed } }: { document: Definition }) {
  return (
    <div role="status" aria-live="polite" aria-busy={checking} style={{ marginBottom: 12 }}>
      {marks.length > 0 && (
        <Alert color="red" icon={<IconAlertTriangle size={20} />} title={marks.length === 1 ? '1 problem' : `${marks.length} problems`}>
          <List size="sm" spacing={4} listStyleType="none">
            {marks.map(({ line, column, message }) => (
              <List.Item key={`${line} ${column} ${message}`} style={{ overflowWrap: 'anywhere' }}>
                <b>Line {line}:</b> <CodeText>{message}</CodeText>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {valid && marks.length === 0 && (
        <Alert color="brand" icon={<IconCircleCheck size={20} />} py="xs">
          Nothing is wrong with it.
        </Alert>
      )}
      {checkFailed && (
        <Alert color="gray" py="xs">
          It could not be checked just now. It is checked again when it is saved.
        </Alert>
      )}
    </div>
  );
}
