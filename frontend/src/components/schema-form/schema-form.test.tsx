// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { render } from '../../testing/render';
import { SchemaForm } from './schema-form';
// It is loaded when it is first shown. Here it is loaded before, so that nobody waits for it.
import './schema-form-impl';

const SCHEMA = { type: 'object', properties: { to: { type: 'string', description: 'Who gets it' }, note: { type: 'string' }, urgent: { type: 'boolean' } } };

function Form({ value: first }: { value: unknown }) {
  const [value, setValue] = useState(first);
  return <SchemaForm schema={SCHEMA} value={value} onChange={setValue} layout="form" />;
}

/** What a screen reader says about a field besides its name. */
function descriptionOf(field: HTMLElement): string {
  const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent ?? `nothing has the id ${id}`).join(' ');
}

test('a field whose text hides something names it, in its description', async () => {
  render(<Form value={{ to: 'bob\u202emoc.live\u202c', note: 'First\nsec\u200bond' }} />);
  expect(descriptionOf(await screen.findByLabelText('to'))).toBe('Who gets it Contains hidden characters:bobU+202Emoc.liveU+202C');
  expect(descriptionOf(screen.getByLabelText('note'))).toBe('Contains hidden characters:Line 2: secU+200Bond');
});

test('so does one into which it is pasted, until it is gone', async () => {
  render(<Form value={{ to: 'bob', note: 'x' }} />);
  const field = await screen.findByLabelText('note');
  expect(field.getAttribute('aria-describedby')).toBeNull();
  await userEvent.click(field);
  await userEvent.paste('\u2066y');
  expect(descriptionOf(field)).toBe('Contains hidden characters:xU+2066y');
  // It is still the same field, in which one goes on typing.
  expect(document.activeElement).toBe(field);
  const all = { initialSelectionStart: 0, initialSelectionEnd: 3 };
  await userEvent.type(field, 'раl', all);
  expect(descriptionOf(field)).toContain('Contains letters that look like others:');
  await userEvent.type(field, 'plain', all);
  expect(screen.queryByText(/^Contains/)).toBeNull();
});
