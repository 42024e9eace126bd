import type { AgentKind } from '../../../gql/enums';

/** What each kind does, in the words of who chooses one. */
export const KINDS: Record<AgentKind, { label: string; explanation: string; config: unknown }> = {
  HTTP: {
    label: 'HTTP',
    explanation: 'Calls a URL with the step’s input as JSON. What comes back is its output.',
    config: { url: 'https://api.example.com/things', method: 'POST', headers: {} },
  },
  WORKER: {
    label: 'Worker',
    explanation: 'Puts the work into a queue, from which a program of yours takes it.',
    config: { queue: 'default' },
  },
  TRANSFORM: {
    label: 'Transform',
    explanation: 'Computes its output from its input, with CEL expressions and JSON pointers. It touches nothing.',
    config: { fields: { total: 'input.price * input.count', name: '/input/customer/name' } },
  },
};

export const KIND_DATA = Object.entries(KINDS).map(([value, { label }]) => ({ value, label }));
