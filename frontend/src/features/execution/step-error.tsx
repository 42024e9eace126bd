import { Alert, Text } from '@mantine/core';
import { CopyButton } from '../../components/copy-button';
import { CodeText } from '../../lib/code-text';
import type { StepFacts } from './execution-documents';
import { failureKind } from './model/failure';
import classes from './step.module.css';

/** Why a step failed, or why its latest attempt did. */
export function StepErrorView({ error }: { error: NonNullable<StepFacts['error']> }) {
  const times = error.attempts === 1 ? '1 attempt' : `${error.attempts} attempts`;
  return (
    <>
      <Alert color="red" title={failureKind(error.code)}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}><CodeText>{error.message}</CodeText></Text>
        <Text size="xs" mt={6}>
          {error.attempts > 0 ? `After ${times}. ` : 'Before the first attempt. '}
          {error.retryable ? 'Trying again may help.' : 'Trying again the same way will not help.'}
        </Text>
      </Alert>
      {error.details && (
        <div className={classes.details}>
          <div className={classes.copy}>
            <CopyButton value={error.details} what="the details" />
          </div>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be within reach of the keyboard */}
          <pre tabIndex={0} aria-label="Details of the error">{error.details}</pre>
        </div>
      )}
    </>
  );
}
