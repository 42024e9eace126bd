import { expect, test } from 'vitest';
import { headlineOf } from './headline';

const MUCH = 'It was agreed with the customer on the phone. '.repeat(20).trim();

test.each([
  ['a sentence is the headline', 'Refund 50.00 EUR', 'Refund 50.00 EUR', false],
  ['the first line of several', 'Refund 50.00 EUR\n\nThe customer waits.', 'Refund 50.00 EUR', true],
  ['the sentences that fit', `Refund 50.00 EUR to order 4711. ${MUCH}`, 'Refund 50.00 EUR to order 4711. It was agreed with the customer on the phone. It was agreed with the customer on the phone.', true],
  ['the words that fit', 'word '.repeat(100), `${'word '.repeat(32).trim()}…`, true],
  ['a part of the only word', 'ä'.repeat(300), `${'ä'.repeat(160)}…`, true],
  ['no half of a character', '🙂'.repeat(300), `${'🙂'.repeat(160)}…`, true],
])('%s', (_, description, headline, isShort) => {
  expect(headlineOf(description)).toEqual({ headline, whole: isShort ? description.trim() : null });
});
