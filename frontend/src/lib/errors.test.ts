import { expect, test } from 'vitest';
import { ApiError, describe } from './errors';

test.each([
  [new ApiError('INVALID_CREDENTIALS', 'E-mail or password is wrong.'), 'E-mail or password is wrong.'],
  [new ApiError('RATE_LIMITED', 'x', 1), 'Too many attempts. Try again in 1 second.'],
  [new ApiError('RATE_LIMITED', 'x', 150), 'Too many attempts. Try again in 3 minutes.'],
  [new ApiError('RATE_LIMITED', 'x'), 'Too many attempts. Try again in a moment.'],
  [new TypeError('x is undefined'), 'Something went wrong on this page. Reload it and try again.'],
])('%s', (error, sentence) => {
  expect(describe(error)).toBe(sentence);
});
