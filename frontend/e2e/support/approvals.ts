import { expect } from '@playwright/test';
import type { Api } from './api';

/* What has to be there before people can decide: agents, workflows, policies, questions. */

let made = 0;
const unique = () => `${Date.now().toString(36)}${(made += 1)}`;

const ERRORS = 'userErrors { code message path }';

/** Puts a policy in force, whatever was before. */
export async function setPolicy(api: Api, document: string): Promise<void> {
  const { policy } = await api.send<{ policy: { version: number | null } }>('{ policy { version } }');
  await api.send(`mutation ($input: SavePolicyInput!) { savePolicy(input: $input) { ${ERRORS} } }`, {
    input: { document, ...(policy.version === null ? {} : { baseVersion: policy.version }) },
  });
}

const REFUND_INPUT = {
  type: 'object',
  required: ['order', 'amount'],
  properties: {
    order: { type: 'string', title: 'Order', description: 'The number in the shop' },
    customer: { type: 'object', title: 'Customer', properties: { name: { type: 'string', title: 'Name' }, email: { type: 'string', title: 'E-mail' } } },
    amount: { type: 'number', title: 'Amount', description: 'In euros', exclusiveMinimum: 0, maximum: 1000 },
    parcels: { type: 'integer', title: 'Parcels' },
    notify: { type: 'boolean', title: 'Tell the customer' },
    mail: { type: 'string', title: 'Text of the mail' },
    voucher: { type: 'string', title: 'Voucher', default: 'none' },
  },
};

export const REFUND = {
  order: 'A-4711',
  customer: { name: 'Margarethe Winterscheidt-Oberlechner', email: 'm.winterscheidt@example.com' },
  amount: 129.9,
  parcels: 2,
  notify: true,
  mail: 'Dear Ms Winterscheidt,\n\nwe are sorry that the lamp arrived broken. We pay back 129.90 EUR within three days.\n\nYour service team',
};

/** Runs a refund up to the step that people must countersign; returns the checkpoint's id. */
export async function refundStep(api: Api): Promise<string> {
  const tag = unique();
  const agent = async (input: object) => api.send(`mutation ($input: CreateAgentInput!) { createAgent(input: $input) { ${ERRORS} } }`, { input });
  await agent({ name: `Ticket triage ${tag}`, kind: 'TRANSFORM', config: { output: '/input' } });
  await agent({ name: `Refund mail ${tag}`, kind: 'TRANSFORM', config: { output: '/input' }, operationType: 'refund', riskLevel: 'HIGH', inputSchema: REFUND_INPUT });
  const source = JSON.stringify({
    name: `Refund requests ${tag}`,
    steps: [
      { key: 'triage', agent: `Ticket triage ${tag}` },
      {
        key: 'refund',
        agent: `Refund mail ${tag}`,
        gate: 'ALWAYS',
        onReject: 'CANCEL',
        proposal: {
          description: 'Refund {{ string(input.amount) }} EUR for order {{ input.order }} and tell the customer',
          reasoning: 'The photos show a **broken lamp shade**, and the parcel was delivered on time:\n\n- damage reported within 14 days\n- first complaint of this customer',
          confidence: 0.86,
          estimatedCostMicros: 129_900_000,
          supportingData: { photos: 3, orderedAt: '2026-10-02', history: [{ order: 'A-3990', total: 48.5, complaint: false }, { order: 'A-4711', total: 129.9, complaint: true }] },
          alternatives: ['Send a new lamp', 'Offer a voucher over 150 EUR'],
        },
      },
    ],
  });
  const { createWorkflow } = await api.send<{ createWorkflow: { workflow: { id: string } } }>(
    `mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } ${ERRORS} } }`,
    { input: { source } },
  );
  const { startExecution } = await api.send<{ startExecution: { execution: { id: string } } }>(
    `mutation ($input: StartExecutionInput!) { startExecution(input: $input) { execution { id } ${ERRORS} } }`,
    { input: { workflowId: createWorkflow.workflow.id, input: REFUND } },
  );
  let id: string | undefined;
  await expect
    .poll(async () => {
      const { execution } = await api.send<{ execution: { checkpoints: { id: string }[] } }>('query ($id: ID!) { execution(id: $id) { checkpoints { id } } }', {
        id: startExecution.execution.id,
      });
      id = execution.checkpoints[0]?.id;
      return id;
    })
    .toBeTruthy();
  return id ?? '';
}

export interface Decided {
  status: string;
  digest: string;
  revision: number;
  reason: string | null;
  outcome: { approvedParameters: Record<string, unknown>; approvedItems: string[] | null; answers: Record<string, unknown> | null } | null;
}

/** A checkpoint as the server has it. */
export async function checkpoint(api: Api, id: string): Promise<Decided> {
  const { checkpoint: found } = await api.send<{ checkpoint: Decided }>(
    'query ($id: ID!) { checkpoint(id: $id) { status digest revision reason outcome { approvedParameters approvedItems answers } } }',
    { id },
  );
  return found;
}

/** Proposes something else, as whoever asked may while it waits. */
export async function revise(api: Api, checkpointId: string, input: Record<string, unknown>): Promise<void> {
  await api.send(`mutation ($input: ReviseProposalInput!) { reviseProposal(input: $input) { ${ERRORS} } }`, {
    input: { checkpointId, operationType: 'refund', riskLevel: 'MEDIUM', ...input },
  });
}

/** People who are to leave a group: each can be approved alone. */
export function leavers(count: number) {
  const teams = ['Sales', 'Support', 'Warehouse', 'Finance'];
  return Array.from({ length: count }, (_, index) => ({
    id: `u${index + 1}`,
    label: `Person ${index + 1}`,
    action: 'remove',
    data: { team: teams[index % teams.length], lastSignIn: `2024-0${(index % 9) + 1}-11`, licences: index % 3 },
  }));
}

/** Puts questions to people. */
export async function askPeople(api: Api, input: Record<string, unknown>): Promise<string> {
  const { requestClarification } = await api.send<{ requestClarification: { checkpoint: { id: string } } }>(
    `mutation ($input: RequestClarificationInput!) { requestClarification(input: $input) { checkpoint { id } ${ERRORS} } }`,
    { input },
  );
  return requestClarification.checkpoint.id;
}
