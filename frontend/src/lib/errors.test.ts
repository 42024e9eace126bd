import { expect, test } from 'vitest';
import { ApiError, CommandError, describe } from './errors';

test.each([
  [new ApiError('INVALID_CREDENTIALS', 'E-mail or password is wrong.'), 'E-mail or password is wrong.'],
  [new ApiError('RATE_LIMITED', 'x', 1), 'Too many attempts. Try again in 1 second.'],
  [new ApiError('RATE_LIMITED', 'x', 150), 'Too many attempts. Try again in 3 minutes.'],
  [new ApiError('RATE_LIMITED', 'x'), 'Too many attempts. Try again in a moment.'],
  [new ApiError('FORBIDDEN', 'this needs the role ADMIN'), 'This needs the role ADMIN.'],
  [new ApiError('INTERNAL', 'secret'), 'Something went wrong on the server. Try again; if it happens again, tell whoever runs it.'],
  [new TypeError('x is undefined'), 'Something went wrong on this page. Reload it and try again.'],
])('%s', (error, sentence) => {
  expect(describe(error)).toBe(sentence);
});

test('a refusal tells what is wrong with each field', () => {
  const userErrors = [
    { code: 'INVALID', message: 'name is empty', path: ['input', 'name'] },
    { code: 'INVALID', message: 'no such role', path: ['input', 'roles', '0'] },
  ];
  const error = new CommandError(userErrors[0]!, userErrors, null);
  expect(error.at('input', 'roles')).toBe('no such role');
  expect(error.at('input', 'email')).toBeUndefined();
  expect(describe(error)).toBe('Name is empty.');
});
