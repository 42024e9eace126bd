import { Alert, Button, Card, Group, List, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { TimeRangeFilter } from '../../../components/time-range-filter';
import { WorkflowSelect } from '../../../components/library-select';
import { ErrorState } from '../../../components/error-state';
import { count } from '../../../lib/format';
import { rangeOf } from '../../../lib/time-range';
import { useUrlFilters } from '../../../lib/use-url-filters';
import { marksOf } from '../model/problems';
import type { Draft } from '../use-draft';
import { BacktestResult } from './backtest-result';
import { useBacktest } from './use-backtest';

const parse = (params: URLSearchParams) => ({ workflowId: params.get('workflow'), ...rangeOf(params, Date.now(), '30d') });

/** The policy, or the draft of one, on the proposals of the past. Nothing happens by it. */
export function Backtest({ draft }: { draft: Draft }) {
  const { filters, set } = useUrlFilters(parse);
  const test = useBacktest();
  const [tested, setTested] = useState('');

  function start() {
    setTested(draft.changed ? 'your draft' : 'the policy in force');
    test.start({
      document: draft.text,
      ...(filters.from === null ? {} : { from: filters.from }),
      ...(filters.until === null ? {} : { until: filters.until }),
      ...(filters.workflowId === null ? {} : { workflowId: filters.workflowId }),
    });
  }

  return (
    <Stack gap="md">
      <Card>
        <Group justify="space-between" gap="sm">
          <Group gap="xs">
            <TimeRangeFilter fallback="30d" label="Proposals of" />
            <WorkflowSelect flex="1 1 170px" maw={{ sm: 230 }} value={filters.workflowId} onChange={(workflow) => set({ workflow })} />
          </Group>
          {test.running ? (
            <Button variant="default" onClick={test.cancel}>
              Cancel
            </Button>
          ) : (
            <Button onClick={start}>Back-test {draft.changed ? 'the draft' : 'the policy in force'}</Button>
          )}
        </Group>
        {test.running && <Running done={test.done} total={test.total} />}
      </Card>
      {test.error && <ErrorState error={test.error} title="The back-test stopped" onRetry={start} />}
      {test.problems.length > 0 && (
        <Alert color="red" title="The draft has problems">
          <List size="sm">
            {marksOf(draft.text, test.problems).map(({ line, message }) => (
              <List.Item key={`${line} ${message}`}>
                Line {line}: {message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {test.result ? (
        <BacktestResult result={test.result} tested={tested} />
      ) : (
        <Text size="sm" c="dimmed">
          Every proposal of that time is judged again, as if it came now, and compared with what people really decided.
        </Text>
      )}
    </Stack>
  );
}

function Running({ done, total }: { done: number; total: number }) {
  return (
    <div role="status">
      <Progress value={total === 0 ? 0 : (done / total) * 100} mt="md" aria-label="Back-test" animated />
      <Text size="xs" c="dimmed" mt={4}>
        {total === 0 ? 'Looking for proposals…' : `${count(done)} of ${count(total)} proposals`}
      </Text>
    </div>
  );
}
