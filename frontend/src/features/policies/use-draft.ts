import { useState } from 'react';
import type { PolicyInForceFragment } from '../../gql/types';

export interface Draft {
  text: string;
  /** Whether it says something else than the policy that is in force. */
  changed: boolean;
  /** The version that it was made from. */
  base: number | null;
  /** Somebody else has changed the policy since. */
  outdated: boolean;
  edit: (text: string) => void;
  discard: () => void;
  /** The document to try things on: the draft if there is one, otherwise null for what is in force. */
  document: string | null;
}

/** What somebody is writing. It lasts for as long as the page is open, whichever tab of it is shown. */
export function useDraft(policy: PolicyInForceFragment): Draft {
  const [draft, setDraft] = useState<{ text: string; base: number | null } | null>(null);
  const changed = draft !== null && draft.text !== policy.document;
  return {
    text: draft?.text ?? policy.document,
    changed,
    base: draft?.base ?? policy.version,
    outdated: changed && draft.base !== policy.version,
    // What says the same as the policy in force was made from it, whoever saved it.
    edit: (text) => setDraft({ text, base: changed ? draft.base : policy.version }),
    discard: () => setDraft(null),
    document: changed ? draft.text : null,
  };
}
