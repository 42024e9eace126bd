import { expect, it } from 'vitest';
import { uiFor } from './ui';

it('gives texts of several lines room for them, wherever they are', () => {
  const area = { 'ui:widget': 'textarea', 'ui:options': { rows: 5 } };
  expect(uiFor({ to: 'ada', mail: { body: 'a\nb' }, notes: ['x', 'y\nz'], n: 1 })).toEqual({ mail: { body: area }, notes: { items: area } });
  expect(uiFor('one line')).toEqual({});
});
