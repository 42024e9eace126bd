import { expect, test } from 'vitest';
import { stringifyExact } from '../../../lib/exact-json';
import { addRule } from './add-rule';
import { marksOf } from './problems';
import { sentencesOf } from './requirement';
import { EMPTY_TRIAL, inputOf, trialOf } from './trial';

const POLICY = `version: "1.0"
# what is risky
checkpoints:
  - name: Risky
    trigger: { risk_level: [high] }
`;
const RULE = `- name: Small
  conditions: { operation_type: refund }
`;

test('a rule is put before the others, and nothing else changes', () => {
  const once = addRule(POLICY, RULE);
  expect(once).toContain('# what is risky');
  expect(once).toContain('auto_approval:\n  rules:\n    - name: Small');
  const twice = addRule(once ?? '', RULE.replace('Small', 'Smaller'));
  expect(twice?.indexOf('Smaller')).toBeLessThan(twice?.indexOf('name: Small\n') ?? 0);
  expect(addRule('version: [', RULE)).toBeNull();
  expect(addRule('auto_approval: 3', RULE)).toBeNull();
});

test('a problem is marked where it is, also without a line', () => {
  const problem = { message: 'must be a list', path: '/checkpoints/0/trigger', line: null, column: null };
  expect(marksOf(POLICY, [problem])).toEqual([{ line: 5, column: 5, message: 'Must be a list.', severity: 'error' }]);
  expect(marksOf(POLICY, [{ ...problem, line: 2, column: 3 }])).toMatchObject([{ line: 2, column: 3 }]);
});

test('what is typed becomes a proposal, with all its digits', () => {
  const { input } = inputOf({ ...EMPTY_TRIAL, parameters: '{"id": 12345678901234567890}' }, 'version: x');
  expect(stringifyExact(input)).toContain('12345678901234567890');
  expect(input).toMatchObject({ document: 'version: x' });
  expect(input).not.toHaveProperty('context');
  const wrong = inputOf({ ...EMPTY_TRIAL, operationType: ' ', parameters: '[1]', context: '{' }, null);
  expect(Object.keys(wrong.errors)).toEqual(['operationType', 'parameters', 'context']);
  expect(wrong.input).toBeNull();
});

test('a proposal of the past can be tried again', () => {
  const trial = trialOf({ operationType: 'pay', riskLevel: 'HIGH', proposal: { parameters: { a: 1 }, confidence: null } });
  expect(trial).toMatchObject({ operationType: 'pay', riskLevel: 'HIGH', confidence: null, parameters: '{\n  "a": 1\n}' });
});

test('who must approve, in sentences', () => {
  const none = { groups: [], users: [], roles: [], exclude: [], escalateTo: [], channels: [], recipients: [], separationOfDuties: false };
  const lines = sentencesOf({
    ...none,
    rule: 'Payouts',
    seats: [{ count: 2, who: 'group:finance' }, { count: 1, who: 'any' }],
    timeoutSeconds: 3600,
    onTimeout: 'REJECT',
    escalateAfterSeconds: null,
    reminderSeconds: null,
  });
  expect(lines).toEqual(['One person must approve, and 2 of group:finance must approve', 'After 1 h without a decision: reject']);
});
