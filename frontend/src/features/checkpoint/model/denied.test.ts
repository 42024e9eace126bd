import { expect, it } from 'vitest';
import { onReject } from './denied';

it('says what a rejection means for the step', () => {
  const definition = { steps: [{ key: 'draft' }, { key: 'send', onReject: 'REVISE' }] };
  expect(onReject(definition, 'send')).toContain('step before');
  expect(onReject(definition, 'draft')).toBe('The execution ends.');
  expect(onReject(null, 'draft')).toBe('The execution ends.');
});
