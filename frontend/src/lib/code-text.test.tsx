// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { render } from '../testing/render';
import { CodeText, withoutMarks } from './code-text';

const shown = (text: string) => {
  render(<p data-testid="told"><CodeText>{text}</CodeText></p>);
  return screen.getByTestId('told');
};

test('names between backticks are code, and the rest is text', () => {
  const told = shown('`answer` runs before `plan.steps`, which has no value');
  expect(told.textContent).toBe('answer runs before plan.steps, which has no value');
  expect([...told.querySelectorAll('code')].map(({ textContent }) => textContent)).toEqual(['answer', 'plan.steps']);
});

test.each(['nothing to see', 'one ` alone', 'two `` with nothing in between'])('%s stays as it is', (text) => {
  const told = shown(text);
  expect(told.textContent).toBe(text);
  expect(told.querySelector('code')).toBeNull();
});

test('what looks like HTML is text', () => {
  const told = shown('`<img src=x onerror=alert(1)>` and <b>bold</b>');
  expect(told.querySelector('img, b')).toBeNull();
  expect(told.textContent).toBe('<img src=x onerror=alert(1)> and <b>bold</b>');
});

test('where only a text can stand, the marks go and the names stay', () => {
  expect(withoutMarks('`reason` is empty, and so is `input`')).toBe('reason is empty, and so is input');
});
