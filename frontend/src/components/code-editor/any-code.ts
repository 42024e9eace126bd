import { StreamLanguage, type StreamParser } from '@codemirror/language';

/*
 * Colours for programs in whichever language. A grammar for each would be most of what a page loads; what helps a reader is to
 * tell words of the language, texts, numbers and comments apart, and these look much the same everywhere.
 */

const WORDS = new Set(
  `and as async await begin bool break by case catch char class const continue create def default defer delete do double elif else end enum
  except export extends false finally float fn for foreach from func function go group if impl implements import in insert int interface into
  is join lambda let limit long loop match mod module mut namespace new nil none not null on or order override package pass private protected
  pub public raise record return select self set static string struct super switch table then this throw throws trait true try type union
  update use using val values var void when where while with yield`.split(/\s+/),
);

interface State {
  /** What ends the comment or text that goes over several lines. */
  until: string | null;
  token: 'comment' | 'string';
}

const OPENINGS: { start: string; end: string | null; token: State['token'] }[] = [
  { start: '/*', end: '*/', token: 'comment' },
  { start: '<!--', end: '-->', token: 'comment' },
  { start: '"""', end: '"""', token: 'string' },
  { start: "'''", end: "'''", token: 'string' },
  { start: '`', end: '`', token: 'string' },
  { start: '//', end: null, token: 'comment' },
  { start: '--', end: null, token: 'comment' },
];

const parser: StreamParser<State> = {
  name: 'code',
  startState: () => ({ until: null, token: 'comment' }),
  token(stream, state) {
    if (state.until !== null) {
      while (!stream.eol()) {
        if (stream.match(state.until)) {
          state.until = null;
          break;
        }
        stream.next();
      }
      return state.token;
    }
    if (stream.eatSpace()) return null;
    // A hash begins a comment in scripts and an attribute in Rust; only with a space or a `!` behind it is it read as the first.
    if (stream.match(/^#(?:[\s!].*|$)/)) return 'comment';
    for (const { start, end, token } of OPENINGS) {
      if (!stream.match(start)) continue;
      if (end === null) stream.skipToEnd();
      else Object.assign(state, { until: end, token });
      return token;
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^'\\]|\\.)*'/)) return 'string';
    if (stream.match(/^(?:0x[\da-f_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)/i)) return 'number';
    const word = stream.match(/^[A-Za-z_$][\w$]*/);
    if (word && word !== true) return WORDS.has(word[0].toLowerCase()) ? 'keyword' : null;
    stream.next();
    return null;
  },
};

export const anyCode = () => StreamLanguage.define(parser);
