import { Card, Tabs } from '@mantine/core';
import { useState } from 'react';
import type { GraphStep } from '../../components/workflow-graph/graph';
import { count } from '../../lib/format';
import type { State } from './execution-documents';
import { HistoryList } from './history-list';
import { LogList } from './log-list';
import { RunValues } from './run-values';
import { Timeline } from './timeline';
import type { LiveRun } from './use-run';

interface Props {
  id: string;
  state: State;
  steps: readonly GraphStep[];
  live: LiveRun;
  selected: string | null;
  onStep: (key: string) => void;
}

/** The views of a run. Only the open one is in the page. */
export function RunTabs({ id, state, steps, live, selected, onStep }: Props) {
  const [tab, setTab] = useState<string | null>(steps.length > 0 ? 'timeline' : 'history');
  const lines = live.run.logs.length;
  return (
    <Card p={0}>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List px="xs">
          {steps.length > 0 && <Tabs.Tab value="timeline">Timeline</Tabs.Tab>}
          <Tabs.Tab value="logs">Logs{lines > 0 ? ` (${count(lines)})` : ''}</Tabs.Tab>
          <Tabs.Tab value="values">Input and output</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="timeline" p="md">
          <Timeline steps={steps} run={live.run} selected={selected} onStep={onStep} />
        </Tabs.Panel>
        <Tabs.Panel value="logs" p="md">
          <LogList logs={live.run.logs} running={!state.finishedAt} />
        </Tabs.Panel>
        <Tabs.Panel value="values" p="md">
          <RunValues id={id} status={state.status} />
        </Tabs.Panel>
        <Tabs.Panel value="history" p="md">
          <HistoryList events={live.events} />
        </Tabs.Panel>
      </Tabs>
    </Card>
  );
}
