import { expect, it } from 'vitest';
import { uiFor } from './ui';

it('gives texts of several lines room for them, wherever they are', () => {
  const area = { 'ui:widget': 'textarea', 'ui:options': { rows: 5 } };
  expect(uiFor({ to: 'ada', mail: { body: 'a\nb' }, notes: ['x', 'y\nz'], n: 1 })).toEqual({ mail: { body: area }, notes: { items: area } });
  expect(uiFor('one line')).toEqual({});
});

it('names fields as they are when their key hides something', () => {
  expect(uiFor({ amount: 5, аmount: 5_000, list: { 'fee\u200b': true } })).toEqual({ аmount: { 'ui:title': 'а[U+0430]mount' }, list: { 'fee\u200b': { 'ui:title': 'fee[U+200B]' } } });
});
