import { Alert, Button, Loader, Text } from '@mantine/core';
import { IconRefreshAlert } from '@tabler/icons-react';
import { FieldDiff } from '../../components/field-diff';
import { RelativeTime } from '../../components/relative-time';
import { Plain } from '../../lib/plain';
import { doerName } from './model/people';
import type { Checkpoint } from './use-checkpoint';
import type { useSeen } from './use-seen';

const MOST = 100;

interface Props {
  id?: string;
  seen: ReturnType<typeof useSeen>;
  checkpoint: Checkpoint;
}

/** Something else is proposed than what was on the page: says so, shows what differs, and waits until that was seen. */
export function ChangedNotice({ id, seen, checkpoint }: Props) {
  const { changes, accept } = seen;
  const latest = checkpoint.revisions.at(-1);
  if (changes === null || checkpoint.status !== 'PENDING') return null;
  return (
    <Alert id={id} color="yellow" icon={<IconRefreshAlert size={20} />} title="The proposal has changed since you opened it" tabIndex={-1}>
      {changes.length === 0 ? (
        <Loader size="sm" role="img" aria-label="Loading what changed" />
      ) : (
        <>
          <Text size="sm" mb="sm">
            {latest && (
              <>
                <Plain>{doerName(latest.by)}</Plain> made revision {latest.number} <RelativeTime at={latest.at} />.{' '}
              </>
            )}
            Look at what differs before you decide.
          </Text>
          <FieldDiff changes={changes.slice(0, MOST)} before="What you saw" after="What is proposed now" />
          {changes.length > MOST && (
            <Text size="sm" mt={4}>
              And {changes.length - MOST} more fields.
            </Text>
          )}
          <Button mt="sm" onClick={accept}>
            I have seen the changes
          </Button>
        </>
      )}
    </Alert>
  );
}
