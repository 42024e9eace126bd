import { expect, it } from 'vitest';
import { unanswered } from './answers';

it('finds what is not answered', () => {
  const questions = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }));
  expect(unanswered(questions, { a: false, b: 0, c: ' ', d: null })).toEqual(['c', 'd', 'e']);
});
