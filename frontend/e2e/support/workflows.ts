import type { Api } from './api';

/* Agents, workflows and executions as authors, operators and workers make them. */

const ERRORS = 'userErrors { code message path }';

export interface Task {
  id: string;
  leaseToken: string;
  executionId: string;
  stepKey: string;
}

let made = 0;

/** A name that no other test of this worker uses. */
export function unique(name: string): string {
  made += 1;
  return `${name} ${made}.${Date.now().toString(36)}`;
}

export async function createAgent(api: Api, input: Record<string, unknown>): Promise<string> {
  const { createAgent: payload } = await api.send<{ createAgent: { agent: { id: string } } }>(
    `mutation ($input: CreateAgentInput!) { createAgent(input: $input) { agent { id } ${ERRORS} } }`,
    { input },
  );
  return payload.agent.id;
}

export async function createWorkflow(api: Api, definition: Record<string, unknown>): Promise<string> {
  const { createWorkflow: payload } = await api.send<{ createWorkflow: { workflow: { id: string } } }>(
    `mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } ${ERRORS} } }`,
    { input: { definition } },
  );
  return payload.workflow.id;
}

export async function startExecution(api: Api, workflowId: string, input: unknown, more: Record<string, unknown> = {}): Promise<string> {
  const { startExecution: payload } = await api.send<{ startExecution: { execution: { id: string } } }>(
    `mutation ($input: StartExecutionInput!) { startExecution(input: $input) { execution { id } ${ERRORS} } }`,
    { input: { workflowId, input, ...more } },
  );
  return payload.execution.id;
}

/** A worker of one queue, which does what the test says and when. */
export class Worker {
  readonly #api: Api;
  readonly #queue: string;

  constructor(api: Api, queue: string) {
    this.#api = api;
    this.#queue = queue;
  }

  /** Takes the next task, and waits until there is one. */
  async claim(): Promise<Task> {
    for (;;) {
      const { claimTasks } = await this.#api.send<{ claimTasks: { tasks: Task[] } }>(
        `mutation ($input: ClaimTasksInput!) { claimTasks(input: $input) { tasks { id leaseToken executionId stepKey } ${ERRORS} } }`,
        { input: { queue: this.#queue, workerId: 'e2e-worker', max: 1, leaseSeconds: 600 } },
      );
      const task = claimTasks.tasks[0];
      if (task) return task;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async report(task: Task, progress: number, message: string, level = 'INFO'): Promise<void> {
    await this.#send('heartbeatTask', 'HeartbeatTaskInput', { ...lease(task), leaseSeconds: 600, progress, log: { level, message } });
  }

  async complete(task: Task, output: unknown, more: Record<string, unknown> = {}): Promise<void> {
    await this.#send('completeTask', 'CompleteTaskInput', { ...lease(task), output, ...more });
  }

  async fail(task: Task, message: string, more: Record<string, unknown> = {}): Promise<void> {
    await this.#send('failTask', 'FailTaskInput', { ...lease(task), message, retryable: false, ...more });
  }

  async #send(name: string, type: string, input: Record<string, unknown>): Promise<void> {
    await this.#api.send(`mutation ($input: ${type}!) { ${name}(input: $input) { ${ERRORS} } }`, { input });
  }
}

const lease = ({ id, leaseToken }: Task) => ({ taskId: id, leaseToken });

export interface Triage {
  workflowId: string;
  name: string;
  worker: Worker;
  queue: string;
}

/** Reads a ticket, looks for what is known and for who is free, then answers: four steps, two of them beside each other. */
export async function createTriage(api: Api, more: { gate?: string; attempts?: number } = {}): Promise<Triage> {
  const name = unique('Ticket triage');
  const queue = `q${made}_${Date.now().toString(36)}`;
  const [rules, people] = [unique('Triage rules'), unique('Helpdesk worker')];
  await createAgent(api, {
    name: rules,
    kind: 'TRANSFORM',
    description: 'Decides how urgent a ticket is.',
    config: { fields: { subject: '/input/subject', urgent: "input.subject.contains('down')" } },
  });
  await createAgent(api, {
    name: people,
    kind: 'WORKER',
    description: 'Reads, searches and writes.',
    config: { queue },
    operationType: 'ticket.answer',
    riskLevel: 'MEDIUM',
  });
  const workflowId = await createWorkflow(api, {
    name,
    description: 'Reads a ticket, looks for what is known about it, and answers.',
    inputSchema: {
      type: 'object',
      required: ['subject'],
      properties: { subject: { type: 'string', title: 'Subject', minLength: 3 }, customer: { type: 'string', title: 'Customer' } },
    },
    defaults: { customer: 'Example Ltd' },
    steps: [
      { key: 'classify', agent: rules, gate: 'NEVER' },
      { key: 'search', agent: people, gate: 'NEVER', needs: ['classify'], retry: { attempts: more.attempts ?? 1, initialDelaySeconds: 0 } },
      { key: 'schedule', agent: rules, gate: 'NEVER', needs: ['classify'] },
      { key: 'answer', agent: people, gate: more.gate ?? 'NEVER', needs: ['search', 'schedule'], retry: { attempts: 1 } },
    ],
  });
  return { workflowId, name, worker: new Worker(api, queue), queue };
}
