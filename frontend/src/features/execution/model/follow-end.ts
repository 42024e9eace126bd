/** What a box that scrolls tells of itself. */
export interface Scrolled {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

const NEAR_END_PX = 40;

/**
 * Whether a box that scrolls goes along with what is added at its end: until somebody scrolls up, and again when they are back at the
 * end. That the end is far away says nothing: a scroll is told of late, when more has been added since. Nor does a move upwards,
 * unless it was made by hand: lines that turn out to be lower than they were taken for move those in sight, too.
 */
export function createFollower() {
  let following = true;
  let byHand = false;
  let last = 0;
  return {
    isFollowing: () => following,
    /** A wheel, a finger, a key or the scroll bar. */
    touch() {
      byHand = true;
    },
    scroll({ scrollTop, scrollHeight, clientHeight }: Scrolled) {
      const up = scrollTop < last;
      last = scrollTop;
      if (up && byHand) {
        following = false;
      } else if (!up && scrollHeight - scrollTop - clientHeight < NEAR_END_PX) {
        following = true;
        byHand = false;
      }
    },
  };
}
