import type { Column } from '../../src/components/data-list';
import type { StepStatus } from '../../src/gql/enums';

export const PARAMETERS = { to: 'ada@example.com', amount: 129, currency: 'EUR', notify: true, lines: [{ item: 'Lamp', price: 129 }] };

export const SCHEMA = {
  type: 'object',
  required: ['to', 'amount'],
  properties: {
    to: { type: 'string', title: 'Recipient', description: 'Who gets the money.', minLength: 3 },
    amount: { type: 'number', title: 'Amount', minimum: 1, maximum: 500 },
    currency: { type: 'string', title: 'Currency', enum: ['EUR', 'USD'] },
    notify: { type: 'boolean', title: 'Send a mail' },
    lines: {
      type: 'array',
      title: 'Lines',
      items: { type: 'object', properties: { item: { type: 'string', title: 'Item' }, price: { type: 'number', title: 'Price' } } },
    },
  },
};

export const YAML = `name: Refunds
steps:
  - key: read
    agent: Mail
  - key: judge
    agent: Rules
  - key: pay
    agent: Bank
    gate: ALWAYS
  - key: tell
    agent: Mail
`;

export const WORKFLOW = {
  steps: [
    { key: 'read', agent: 'Mail' },
    { key: 'judge', agent: 'Rules' },
    { key: 'log', agent: 'Log', needs: ['read'] },
    { key: 'pay', agent: 'Bank', needs: ['judge'], gate: 'ALWAYS' },
    { key: 'tell', agent: 'Mail', needs: ['pay', 'log'] },
  ],
};

export const STATES: StepStatus[] = ['COMPLETED', 'COMPLETED', 'FAILED', 'AWAITING_APPROVAL', 'PENDING'];

export const MARKDOWN = `# Report

A **table**:

| who | how much |
| --- | --- |
| Ada | 129 |

<script>window.hacked = true</script><img src="x" onerror="window.hacked = true">

[A link](javascript:window.hacked=true), ![a picture](https://elsewhere.example/p.png)
`;

export function rows(count: number): { id: number; name: string; note: string }[] {
  return Array.from({ length: count }, (_, id) => ({ id, name: `Row ${id}`, note: 'Something to fold and to search in' }));
}

export const EARLIER = new Date(Date.now() - 200_000).toISOString();
export const LATER = new Date(Date.now() + 300_000).toISOString();

interface Row {
  id: string;
  name: string;
  note: string;
}

const DONE = async () => {};

export const LIST = {
  rows: rows(10_000).map((row) => ({ ...row, id: String(row.id) })),
  totalCount: 10_000,
  status: 'ready' as const,
  error: null,
  hasMore: false,
  fetching: false,
  loadMore: DONE,
  refresh: DONE,
};

export const COLUMNS: Column<Row>[] = [
  { key: 'name', header: 'Name', width: '200px', cell: ({ name }) => name },
  { key: 'note', header: 'Note', width: '1fr', cell: ({ note }) => note },
];
