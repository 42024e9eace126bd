import { Card, Tabs } from '@mantine/core';
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
  /** The open one; null for the one that comes first. */
  tab: RunTab | null;
  onTab: (tab: string | null) => void;
  selected: string | null;
  onStep: (key: string) => void;
}

export const RUN_TABS = ['timeline', 'logs', 'values', 'history'] as const;
export type RunTab = (typeof RUN_TABS)[number];

/** The views of a run. Only the open one is in the page. */
export function RunTabs({ id, state, steps, live, tab, onTab, selected, onStep }: Props) {
  const first: RunTab = steps.length > 0 ? 'timeline' : 'history';
  const open = tab === null || tab === 'timeline' ? first : tab;
  const lines = live.run.logs.length;
  return (
    <Card p={0}>
      <Tabs value={open} onChange={(chosen) => onTab(chosen === first ? null : chosen)} keepMounted={false}>
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
