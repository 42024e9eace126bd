import type { Api } from './api';

/* Things that happened, for pages that show what happened. Names carry a mark, because tests share their server. */

let stories = 0;
const mark = () => `${(stories += 1)}${Math.random().toString(36).slice(2, 5)}`;

/** Hands in a deliverable, as a program does. */
export async function deliver(api: Api, input: Record<string, unknown>): Promise<{ id: string; executionId: string }> {
  const { createDeliverable } = await api.send<{ createDeliverable: { deliverable: { id: string; execution: { id: string } } } }>(
    'mutation ($input: CreateDeliverableInput!) { createDeliverable(input: $input) { deliverable { id execution { id } } userErrors { code message path } } }',
    { input },
  );
  const { id, execution } = createDeliverable.deliverable;
  return { id, executionId: execution.id };
}

export interface Shop {
  workflowId: string;
  workflow: string;
  agent: string;
  queue: string;
}

/** A shop whose refunds a worker pays: a workflow of two steps, the first of which hands in a report. */
export async function openShop(api: Api): Promise<Shop> {
  const name = mark();
  const [reporter, agent, queue, workflow] = [`Reporter ${name}`, `Payments ${name}`, `payments-${name}`, `Refunds ${name}`];
  const agentInput = 'mutation ($input: CreateAgentInput!) { createAgent(input: $input) { agent { id } userErrors { code message path } } }';
  const config = { fields: { report: "'# Refund of order ' + input.order + '\\n\\nThe customer asked for **' + string(input.amount) + '** EUR back.'" } };
  await api.send(agentInput, { input: { name: reporter, kind: 'TRANSFORM', config } });
  await api.send(agentInput, { input: { name: agent, kind: 'WORKER', config: { queue }, operationType: 'refund', description: 'Pays money back.' } });
  const source = [
    `name: ${workflow}`,
    'description: Pays back small amounts.',
    'steps:',
    `  - { key: report, agent: ${reporter}, deliverables: [{ name: report.md, from: output.report }] }`,
    `  - { key: pay, agent: ${agent}, gate: NEVER, input: { order: /input/order, amount: /input/amount } }`,
  ].join('\n');
  const { createWorkflow } = await api.send<{ createWorkflow: { workflow: { id: string } } }>(
    'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } userErrors { code message path } } }',
    { input: { source } },
  );
  return { workflowId: createWorkflow.workflow.id, workflow, agent, queue };
}

interface ClaimedTask {
  id: string;
  leaseToken: string;
}

/** Runs a refund to its end; a worker pays it, or fails to. */
export async function refund(api: Api, shop: Shop, order: string, outcome: 'pay' | 'fail' = 'pay'): Promise<string> {
  const { startExecution } = await api.send<{ startExecution: { execution: { id: string } } }>(
    'mutation ($input: StartExecutionInput!) { startExecution(input: $input) { execution { id } userErrors { code message path } } }',
    { input: { workflowId: shop.workflowId, input: { order, amount: 40 } } },
  );
  const task = await claim(api, shop.queue);
  const usage = { llmCalls: 2, tokens: 1800, costMicros: 12_500 };
  if (outcome === 'pay') {
    const query = 'mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { userErrors { code message path } } }';
    await api.send(query, { input: { taskId: task.id, leaseToken: task.leaseToken, output: { receipt: `R-${order}` }, usage } });
  } else {
    const query = 'mutation ($input: FailTaskInput!) { failTask(input: $input) { userErrors { code message path } } }';
    await api.send(query, { input: { taskId: task.id, leaseToken: task.leaseToken, message: 'The bank did not answer.', retryable: false, usage } });
  }
  return startExecution.execution.id;
}

async function claim(api: Api, queue: string): Promise<ClaimedTask> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { claimTasks } = await api.send<{ claimTasks: { tasks: ClaimedTask[] } }>(
      'mutation ($input: ClaimTasksInput!) { claimTasks(input: $input) { tasks { id leaseToken } userErrors { code message path } } }',
      { input: { queue, workerId: 'e2e' } },
    );
    const [task] = claimTasks.tasks;
    if (task) return task;
    await new Promise((later) => setTimeout(later, 50));
  }
  throw new Error('there is no task to claim');
}

/** Approves or rejects as somebody who may. */
export async function decide(approver: Api, checkpointId: string, verdict: 'approve' | 'reject'): Promise<void> {
  const { checkpoint } = await approver.send<{ checkpoint: { digest: string } }>('query ($id: ID!) { checkpoint(id: $id) { digest } }', { id: checkpointId });
  const input = { checkpointId, digest: checkpoint.digest, ...(verdict === 'reject' ? { reason: 'This customer has been paid already.' } : {}) };
  const field = verdict === 'approve' ? 'approveCheckpoint' : 'rejectCheckpoint';
  const type = verdict === 'approve' ? 'ApproveCheckpointInput' : 'RejectCheckpointInput';
  await approver.send(`mutation ($input: ${type}!) { ${field}(input: $input) { userErrors { code message path } } }`, { input });
}

/** What people were asked about small refunds, and that they nearly always agreed. */
export async function decideRefunds(api: Api, approver: Api, count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const amount = 10 + number;
    const id = await api.requestApproval({ operationType: 'refund', riskLevel: 'HIGH', confidence: 0.95, description: `Refund ${amount}.00 to order ${4700 + number}`, parameters: { amount, order: 4700 + number } });
    await decide(approver, id, number % 9 === 8 ? 'reject' : 'approve');
  }
}
