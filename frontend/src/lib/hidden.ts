/*
 * Characters that cannot be seen, that turn the direction of a text around, or that look like others. What people decide on must
 * not read as anything else than it is.
 */

/** What a text is made of: what can be shown as it is, and what must be named. */
export type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'hidden' | 'lookalike'; readonly text: string; readonly code: string };

/** Controls, formats, unassigned and private ones, and what fonts draw as nothing. Line breaks and tabs show themselves. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/u;
const SHOWN_CONTROLS = new Set(['\n', '\t', '\r']);

/** The same for an editor, which goes by single characters: those that pictures are made of are left alone. */
export const HIDDEN_IN_CODE = new RegExp(`(?![\\n\\t\\r\\u200D\\uFE0F])${HIDDEN.source}`, 'gu');

/** Pictures are made of several characters, some of which are not seen on their own. */
const PICTURE = /(?:\p{Extended_Pictographic}|[#*\d](?=\uFE0F\u20E3))(?:\p{Emoji_Modifier}|\uFE0F|\u20E3|\u200D\p{Extended_Pictographic})*/u;

/** Letters of other scripts that fonts draw like a Latin one. */
const LOOKALIKES = new Set('аеорсухіјѕԁһԛԝьвнкмтАВЕКМНОРСТУХІЈЅԌҺԚԜѴѵΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχγսոօհցյզՍՕᎪᎫᎬᎳᎷᎻᏀᏃᏒᏔᏚᏞᏟᏢᏦ');

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const PLAIN_LATIN = /[A-Za-z\d]/;
const ASCII = /^[\t\n\r -~]*$/;

/** A text in pieces. A `key` has no context: there, a word of nothing but lookalikes is named as well. */
export function piecesOf(text: string, key = false): Piece[] {
  if (ASCII.test(text)) return text === '' ? [] : [{ kind: 'text', text }];
  const foreign = lookalikesIn(text, key);
  const pieces: Piece[] = [];
  let plain = '';
  const flush = () => {
    if (plain !== '') pieces.push({ kind: 'text', text: plain });
    plain = '';
  };
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at, at + 64);
    const picture = PICTURE.exec(rest);
    const character = picture?.index === 0 ? picture[0] : String.fromCodePoint(text.codePointAt(at) ?? 0);
    const hidden = picture?.index !== 0 && HIDDEN.test(character) && !SHOWN_CONTROLS.has(character);
    if (hidden || foreign.has(at)) {
      flush();
      pieces.push({ kind: hidden ? 'hidden' : 'lookalike', text: character, code: codeOf(character) });
    } else {
      plain += character;
    }
    at += character.length;
  }
  flush();
  return pieces;
}

/** Where a letter stands that could be taken for a Latin one: among Latin letters, or in a key that looks Latin. */
function lookalikesIn(text: string, key: boolean): Set<number> {
  const found = new Set<number>();
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const letters = [...word];
    const deceives = (letter: string) => LOOKALIKES.has(letter) || isDisguisedAscii(letter);
    const misread = PLAIN_LATIN.test(word) || (key && letters.every(deceives));
    let at = index;
    for (const letter of letters) {
      if (misread && deceives(letter)) found.add(at);
      at += letter.length;
    }
  }
  return found;
}

/** A letter in bold, in a circle or at full width: another character than the plain one. */
function isDisguisedAscii(letter: string): boolean {
  return !ASCII.test(letter) && /^[A-Za-z\d]+$/.test(letter.normalize('NFKC')) && !/[ªº²³¹\u2070-\u209F]/.test(letter);
}

export const codeOf = (character: string): string => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** The same for where only a text can stand, such as a tooltip or a name for screen readers. */
export function visible(text: string, key = false): string {
  return piecesOf(text, key)
    .map((piece) => (piece.kind === 'text' ? piece.text : piece.kind === 'hidden' ? `[${piece.code}]` : `${piece.text}[${piece.code}]`))
    .join('');
}

export interface HiddenLine {
  /** From 1. */
  readonly line: number;
  readonly pieces: readonly Piece[];
}

/** The lines of a text in which something must be named; of long ones what stands around it. */
export function hiddenLines(text: string): HiddenLine[] {
  if (ASCII.test(text)) return [];
  return text.split('\n').flatMap((content, index) => {
    const pieces = piecesOf(content);
    return pieces.some(isNamed) ? [{ line: index + 1, pieces: shortened(pieces) }] : [];
  });
}

export const isNamed = ({ kind }: Piece): boolean => kind !== 'text';

/** So much of a text is enough to find the place beside it. */
const AROUND = 24;
const MOST_PIECES = 40;

function shortened(pieces: readonly Piece[]): Piece[] {
  const few = pieces.slice(0, MOST_PIECES).map((piece, index): Piece => {
    if (piece.kind !== 'text') return piece;
    const letters = [...piece.text];
    const start = index === 0 ? '' : letters.slice(0, AROUND).join('');
    const end = index === pieces.length - 1 ? '' : letters.slice(-AROUND).join('');
    return letters.length > 2 * AROUND ? { kind: 'text', text: `${start}…${end}` } : piece;
  });
  return pieces.length > MOST_PIECES ? [...few, { kind: 'text', text: '…' }] : few;
}

/** The text of a JSON document in which nothing is hidden: it says the same, with escapes. */
export function visibleJson(json: string): string {
  if (ASCII.test(json)) return json;
  return piecesOf(json)
    .map((piece) => (piece.kind === 'hidden' ? Array.from(piece.text, escaped).join('') : piece.text))
    .join('');
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('');
}

/** Whether a label says so much less than the key it stands for that both must be seen. */
export function hidesKey(key: string, label: string): boolean {
  const bare = (text: string) => text.replaceAll(/[_\-\s]+/g, '').toLowerCase();
  return bare(key) !== bare(label) || piecesOf(key, true).some(isNamed);
}
