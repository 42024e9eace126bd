/** The kinds of rows that have heights of their own. */
export type RowKind = 'row' | 'card' | 'heading';

/** Until the first of a kind is in the page. */
const FIRST_GUESS: Record<RowKind, number> = { row: 57, card: 140, heading: 46 };

/**
 * How high rows are that nobody has seen yet: as high as those that were. A row that turns out otherwise than it was taken for moves
 * all below it, and the list is laid out and made once more, in the middle of scrolling.
 */
export function createRowHeights() {
  const usual = { ...FIRST_GUESS };
  const last: Partial<Record<RowKind, number>> = {};
  return {
    guess: (kind: RowKind): number => usual[kind],
    /** One row of several lines does not make the others higher: two of the same height do. */
    learn(kind: RowKind, height: number): void {
      if (last[kind] === height) usual[kind] = height;
      last[kind] = height;
    },
  };
}
