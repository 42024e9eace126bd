import { Alert, Grid, Text } from '@mantine/core';
import { useState } from 'react';
import { useClient } from 'urql';
import { ErrorState } from '../../../components/error-state';
import { graphql } from '../../../gql/documents';
import type { PolicyEvaluationPartsFragment } from '../../../gql/types';
import { toApiError } from '../../../lib/send-exchange';
import { useAction } from '../../../lib/use-action';
import { EMPTY_TRIAL, inputOf, type TrialErrors } from '../model/trial';
import type { Draft } from '../use-draft';
import { ProposalForm } from './proposal-form';
import { TrialResult } from './trial-result';

const EVALUATE = graphql(`
  query EvaluatePolicy($input: EvaluatePolicyInput!) {
    evaluatePolicy(input: $input) {
      ...PolicyEvaluationParts
    }
  }
`);

/** What the policy, or the draft of one, would say about a proposal. Nothing happens by it. */
export function TryProposal({ draft }: { draft: Draft }) {
  const client = useClient();
  const [trial, setTrial] = useState(EMPTY_TRIAL);
  const [errors, setErrors] = useState<TrialErrors>({});
  const [result, setResult] = useState<PolicyEvaluationPartsFragment | null>(null);
  const evaluate = useAction(async () => {
    const { input, errors: wrong } = inputOf(trial, draft.document);
    setErrors(wrong);
    if (!input) return;
    const answer = await client.query(EVALUATE, { input }, { requestPolicy: 'network-only' }).toPromise();
    if (answer.error) throw toApiError(answer.error);
    setResult(answer.data?.evaluatePolicy ?? null);
  });

  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 5 }}>
        <ProposalForm
          trial={trial}
          errors={errors}
          pending={evaluate.pending}
          against={draft.changed ? 'your draft' : 'the policy in force'}
          onChange={setTrial}
          onSubmit={() => void evaluate.run()}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        {evaluate.error !== null && <ErrorState error={evaluate.error} title="It could not be tried" />}
        {evaluate.error === null && result === null && (
          <Alert color="gray" title="Nothing tried yet">
            <Text size="sm">Describe an action and see which rule would decide about it, and why. No one is asked and nothing is done.</Text>
          </Alert>
        )}
        {result && <TrialResult result={result} />}
      </Grid.Col>
    </Grid>
  );
}
