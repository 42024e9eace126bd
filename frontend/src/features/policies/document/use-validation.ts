import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { useQuery } from 'urql';
import { graphql } from '../../../gql/documents';
import { marksOf, type Problem } from '../model/problems';
import type { Draft } from '../use-draft';

const VALIDATE = graphql(`
  query ValidatePolicy($document: String!) {
    validatePolicy(document: $document) {
      valid
      problems {
        message
        path
        line
        column
      }
    }
  }
`);

const NONE: readonly Problem[] = [];

/** What is wrong with the draft, asked when somebody pauses. */
export function useValidation(draft: Draft) {
  const [document] = useDebouncedValue(draft.text, 300);
  const [{ data, fetching }] = useQuery({ query: VALIDATE, variables: { document }, pause: !draft.changed, requestPolicy: 'cache-first' });
  const problems = draft.changed ? (data?.validatePolicy.problems ?? NONE) : NONE;
  const marks = useMemo(() => marksOf(document, problems), [document, problems]);
  return { problems, marks, checking: draft.changed && (fetching || document !== draft.text) };
}
