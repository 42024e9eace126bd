import { hidesKey, piecesOf, type Piece } from './hidden';
import classes from './plain.module.css';

/**
 * A text that somebody else wrote, as it is: its direction ends with it, and characters that are not seen, or that look like others,
 * are named.
 */
export function Plain({ children, isKey = false }: { children: string; isKey?: boolean }) {
  return <Pieces of={piecesOf(children, isKey)} />;
}

/** The same for a text that is in pieces already. */
export function Pieces({ of: pieces }: { of: readonly Piece[] }) {
  return (
    <bdi className={classes.text}>
      {pieces.map((piece, index) => {
        if (piece.kind === 'text') return piece.text;
        const title = piece.kind === 'hidden' ? 'A character that is not seen' : 'A letter that looks like a Latin one';
        return (
          // oxlint-disable-next-line react/no-array-index-key -- pieces may repeat, and never move
          <span key={index}>
            {piece.kind === 'lookalike' && <span className={classes.letter}>{piece.text}</span>}
            <span className={classes.mark} title={title}>
              {piece.code}
            </span>
          </span>
        );
      })}
    </bdi>
  );
}

/** The label of a field, and the key itself where the label does not say it. */
export function KeyLabel({ name, label }: { name: string; label: string }) {
  return (
    <>
      <Plain isKey>{label}</Plain>
      {hidesKey(name, label) && (
        <code className={classes.key}>
          <Plain isKey>{name}</Plain>
        </code>
      )}
    </>
  );
}
