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
      warnings {
        message
        path
        line
        column
      }
    }
  }
`);

const NONE: readonly Problem[] = [];

/** What is wrong with the draft, and what is probably a mistake, asked when somebody pauses. */
export function useValidation(draft: Draft) {
  const [document] = useDebouncedValue(draft.text, 300);
  const [{ data, fetching }] = useQuery({ query: VALIDATE, variables: { document }, pause: !draft.changed, requestPolicy: 'cache-first' });
  const problems = draft.changed ? (data?.validatePolicy.problems ?? NONE) : NONE;
  const warnings = draft.changed ? (data?.validatePolicy.warnings ?? NONE) : NONE;
  const marks = useMemo(() => [...marksOf(document, problems), ...marksOf(document, warnings, 'warning')], [document, problems, warnings]);
  return { problems, warnings, marks, checking: draft.changed && (fetching || document !== draft.text) };
}
