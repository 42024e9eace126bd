import { useEffect, useState } from 'react';
import { fieldDifferences, type FieldDifference } from '../../components/model/field-diff';
import { useViewer } from '../../lib/use-viewer';
import type { Checkpoint } from './use-checkpoint';

interface Seen {
  digest: string;
  revision: number;
  proposal: Checkpoint['proposal'];
}

const whatIsThere = ({ digest, revision, proposal }: Checkpoint): Seen => ({ digest, revision, proposal });

/**
 * What the person in front of the page has seen of the proposal. When another one takes its place, `changes` says what differs,
 * and nothing should be decided until `accept` was called. What the person has changed by themselves they have seen.
 */
export function useSeen(checkpoint: Checkpoint, refresh: () => void) {
  const { viewer } = useViewer();
  const [seen, setSeen] = useState(() => whatIsThere(checkpoint));
  const differs = seen.digest !== checkpoint.digest;
  const latest = checkpoint.revisions.at(-1);
  const mine = viewer?.user != null && latest?.by.user?.id === viewer.user.id && latest.digest === checkpoint.digest;
  if (differs && mine) setSeen(whatIsThere(checkpoint));

  const changes: FieldDifference[] | null = differs && !mine ? fieldDifferences(seen.proposal, checkpoint.proposal) : null;
  // Another digest for the same content: the content is still on its way.
  const incomplete = changes !== null && changes.length === 0;
  useEffect(() => {
    if (incomplete) refresh();
  }, [incomplete, refresh]);

  return {
    digest: seen.digest,
    changes,
    from: seen.revision,
    accept: () => setSeen(whatIsThere(checkpoint)),
  };
}
