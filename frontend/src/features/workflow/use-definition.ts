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

/** The document that somebody works on: its text in either format, what is wrong with it, and its steps as a graph. */
export function useDefinition(definition: unknown, baseVersion: number | null) {
  const [format, setFormat] = useState<Format>('yaml');
  const [saved, setSaved] = useState(() => ({ text: textOf(definition, 'yaml'), base: baseVersion }));
  const [text, setText] = useState(saved.text);

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
  function load(next: unknown, base: number | null) {
    const fresh = textOf(next, format);
    setText(fresh);
    setSaved({ text: fresh, base });
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
    dirty: text !== saved.text,
    base: saved.base,
    /** What is in the editor is now what the server has. */
    keep: (base: number | null) => setSaved({ text, base }),
    load,
  };
}

export type Definition = ReturnType<typeof useDefinition>;
