import { expect, test } from 'vitest';
import { createFollower } from './follow-end';

const at = (scrollTop: number, scrollHeight: number) => ({ scrollTop, scrollHeight, clientHeight: 100 });

test('what is added before a scroll is told of does not end it', () => {
  const follower = createFollower();
  follower.scroll(at(900, 1000));
  follower.scroll(at(1900, 5000));
  expect(follower.isFollowing()).toBe(true);
});

test('lines that turn out lower than they were taken for do not end it', () => {
  const follower = createFollower();
  follower.scroll(at(900, 1000));
  follower.scroll(at(850, 1200));
  expect(follower.isFollowing()).toBe(true);
});

test('whoever scrolls up stays there, until they are back at the end', () => {
  const follower = createFollower();
  follower.scroll(at(900, 1000));
  follower.touch();
  follower.scroll(at(890, 1000));
  expect(follower.isFollowing()).toBe(false);
  follower.scroll(at(895, 2000));
  expect(follower.isFollowing()).toBe(false);
  follower.scroll(at(1890, 2000));
  expect(follower.isFollowing()).toBe(true);
});

test('a touch that scrolls nothing is forgotten at the end', () => {
  const follower = createFollower();
  follower.touch();
  follower.scroll(at(900, 1000));
  follower.scroll(at(850, 1200));
  expect(follower.isFollowing()).toBe(true);
});
