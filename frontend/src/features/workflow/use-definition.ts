import { useDebouncedValue } from '@mantine/hooks';
import { useDeferredValue, useMemo, useState } from 'react';
import { useQuery } from 'urql';
import { stepsOf } from '../../components/workflow-graph/graph';
import { graphql } from '../../gql/documents';
import { converted, textOf, valueOf, type Format } from './model/document';
import { marksOf } from './model/problems';

const VALIDATE = graphql(`
  query ValidateWorkflow($source: String!) {
    validateWorkflow(source: $source) {
      valid
      problems {
        path
        code
        message
        fields
      }
    }
  }
`);

/** Long enough for a word, short enough to feel live. */
const PAUSE_MS = 350;

/**
 * The document that somebody works on: its text in either format, what is wrong with it, and its steps as a graph. It follows
 * what others save for as long as nobody has changed it here; from then on it only says that there is something newer.
 */
export function useDefinition(definition: unknown, baseVersion: number | null) {
  const [format, setFormat] = useState<Format>('yaml');
  const theirs = useMemo(() => textOf(definition, 'json'), [definition]);
  // What the server had when it was last looked at here; `base` is the version that is replaced by saving.
  const [known, setKnown] = useState({ theirs, base: baseVersion });
  const [saved, setSaved] = useState(() => ({ text: textOf(definition, 'yaml'), base: baseVersion, json: theirs }));
  const [text, setText] = useState(saved.text);
  const dirty = text !== saved.text;
  const newer = known.theirs !== theirs || known.base !== baseVersion;
  if (newer) {
    // What was saved here comes back as news, too, and perhaps while somebody types on.
    if (theirs === saved.json) insist();
    else if (!dirty || converted(text, 'json') === theirs) load(definition, baseVersion, dirty ? text : textOf(definition, format));
  }

  const [source] = useDebouncedValue(text, PAUSE_MS);
  const [{ data, fetching, error }] = useQuery({ query: VALIDATE, variables: { source } });
  const problems = data?.validateWorkflow.problems;
  // Marks belong to the text that was checked; the editor moves them along with what is typed meanwhile.
  const marks = useMemo(() => marksOf(source, problems ?? []), [source, problems]);

  const shape = useDeferredValue(text);
  const steps = useMemo(() => stepsOf(valueOf(shape)), [shape]);

  function changeFormat(next: Format): boolean {
    const [now, before] = [converted(text, next), converted(saved.text, next)];
    if (now === null) return false;
    setFormat(next);
    setText(now);
    setSaved({ ...saved, text: before ?? saved.text });
    return true;
  }

  /** Begins anew from what the server has. */
  function load(next: unknown, base: number | null, fresh = textOf(next, format)) {
    setText(fresh);
    setSaved({ text: fresh, base, json: textOf(next, 'json') });
    setKnown({ theirs, base: baseVersion });
  }

  /** Goes on with what is in the editor: saving it replaces what others have saved since. */
  function insist() {
    setSaved({ ...saved, base: baseVersion });
    setKnown({ theirs, base: baseVersion });
  }

  return {
    text,
    setText,
    format,
    changeFormat,
    marks,
    steps,
    checking: fetching || source !== text,
    checkFailed: error !== undefined,
    valid: data?.validateWorkflow.valid ?? false,
    dirty,
    /** The server has something else than what this was made from. */
    newer: newer && dirty,
    base: saved.base,
    /** What is in the editor is now what the server has. */
    keep: (base: number | null) => setSaved({ text, base, json: converted(text, 'json') ?? saved.json }),
    load,
    insist,
  };
}

export type Definition = ReturnType<typeof useDefinition>;
