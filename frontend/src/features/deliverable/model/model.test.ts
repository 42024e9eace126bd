import { expect, test } from 'vitest';
import { isPage, languageOf } from './language';
import { refusal } from './upload';
import { inOrder, parseVersion } from './versions';

test('code is coloured by its type, else by its name', () => {
  expect(languageOf('text/html; charset=utf-8', 'report')).toBe('html');
  expect(languageOf('text/plain', 'main.tsx')).toBe('javascript');
  expect(languageOf('text/x-rust', 'main.rs')).toBe('code');
  expect(languageOf('text/plain', 'notes.txt')).toBe('text');
});

test('only what browsers take for a page is one', () => {
  expect(isPage('text/html; charset=utf-8')).toBe(true);
  expect(isPage('image/svg+xml')).toBe(false);
});

test('versions in the address', () => {
  expect(parseVersion(new URLSearchParams('version=2&compare=1'))).toEqual({ version: 2, compare: 1 });
  expect(parseVersion(new URLSearchParams('version=-2&compare=x'))).toEqual({ version: null, compare: null });
  expect(inOrder(3, 1)).toEqual({ from: 1, to: 3 });
});

test('a refused upload says why, whoever refused it', () => {
  expect(refusal(409, '{"errors":[{"message":"there is a newer version","extensions":{"code":"CONFLICT"}}]}')).toMatchObject({
    code: 'CONFLICT',
    message: 'there is a newer version',
  });
  expect(refusal(413, '<html>')).toMatchObject({ code: 'TOO_LARGE' });
  expect(refusal(502, '<html>')).toMatchObject({ code: 'INTERNAL' });
});
