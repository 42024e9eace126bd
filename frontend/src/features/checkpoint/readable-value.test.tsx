// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../../testing/render';
import { readable } from './model/readable';
import { ReadableValue } from './readable-value';

const show = (value: unknown, schema?: unknown) => render(<ReadableValue shown={readable(value, schema)} name="parameters" />);

test('a text that turns its direction around shows that it does', () => {
  show({ amount: '\u202e00.5\u202c EUR' });
  const cell = screen.getByRole('cell');
  expect(cell.textContent).toBe('U+202E00.5U+202C EUR');
  expect(cell.querySelector('bdi')).not.toBeNull();
});

test('two fields that look alike can be told apart', () => {
  show({ amount: 5, аmount: 5_000 });
  const [plain, other] = screen.getAllByRole('rowheader');
  expect(plain?.textContent).toBe('Amount');
  expect(other?.textContent).toContain('U+0430');
});

test('a title does not hide its key', () => {
  show({ fee: 5 }, { properties: { fee: { title: 'Amount' } } });
  expect(screen.getByRole('rowheader').textContent).toBe('Amountfee');
});

test('rows of a table name their keys', () => {
  show([{ sku: 'A\u200b', ѕku: 'B' }]);
  expect(screen.getAllByRole('columnheader')[1]?.textContent).toContain('U+0455');
  expect(screen.getAllByRole('cell')[0]?.textContent).toBe('AU+200B');
});
