import { Alert, Stack, Text, Title } from '@mantine/core';
import { graphql } from '../../../gql/documents';
import type { BacktestPartsFragment } from '../../../gql/types';
import { count, duration } from '../../../lib/format';
import classes from '../policies.module.css';
import { BacktestCases } from './backtest-cases';
import { BacktestRules } from './backtest-rules';

graphql(`
  fragment BacktestFigures on Backtest {
    proposals
    asked
    autoApproved
    proceeded
    escalated
    timedOut
    agreed
    contradicted
    undecided
    noLongerAsked
    newlyAsked
    savedSeconds
  }
`);

graphql(`
  fragment BacktestParts on Backtest {
    ...BacktestFigures
    rules {
      ...BacktestRuleParts
    }
    caseCount
    cases {
      ...BacktestCaseParts
    }
  }
`);

export function BacktestResult({ result, tested }: { result: BacktestPartsFragment; tested: string }) {
  if (result.proposals === 0) {
    return (
      <Alert color="gray" title="There was nothing to judge">
        <Text size="sm">No proposal was made in that time. Choose a longer one.</Text>
      </Alert>
    );
  }
  return (
    <Stack gap="lg" component="section" aria-label="Result of the back-test">
      <div>
        <Title order={2} mb="xs">
          {count(result.proposals)} proposals, judged by {tested}
        </Title>
        <dl className={classes.figures}>
          <Figure name="People would be asked" value={count(result.asked)} />
          <Figure name="A rule would approve" value={count(result.autoApproved)} />
          <Figure name="Would go on by itself" value={count(result.proceeded)} />
          <Figure name="People had agreed" value={count(result.agreed)} />
          <Figure name="Contradicts people" value={count(result.contradicted)} tone={result.contradicted > 0 ? 'bad' : 'none'} />
          <Figure name="Nobody had decided" value={count(result.undecided)} />
          <Figure name="No longer asked" value={count(result.noLongerAsked)} />
          <Figure name="Newly asked" value={count(result.newlyAsked)} />
          <Figure name="Waiting saved" value={duration(result.savedSeconds)} />
        </dl>
      </div>
      <BacktestRules rules={result.rules} />
      <BacktestCases cases={result.cases} total={result.caseCount} />
    </Stack>
  );
}

function Figure({ name, value, tone = 'none' }: { name: string; value: string; tone?: 'none' | 'bad' }) {
  return (
    <div data-tone={tone}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
