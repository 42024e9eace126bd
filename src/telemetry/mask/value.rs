//! Where a value begins and ends, in text that may be JSON, JSON within JSON, `Debug` output or a log line.

use std::ops::Range;

/// A value in a text.
pub(super) struct Value {
    /// Without its quotes.
    pub range: Range<usize>,
    pub quoted: bool,
}

/// Whether the text is a JSON document. There, a bare quote ends the string and cannot open another one.
pub(super) fn is_json(text: &str) -> bool {
    text.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Whether a value in quotes, however many backslashes they have, starts the text.
pub(super) fn is_quoted(text: &str) -> bool {
    text.trim_start_matches('\\').starts_with(['"', '\''])
}

/// The value that starts here. `nesting` is how many backslashes its quotes would have; each level of JSON in JSON
/// doubles them and adds one. With none, nothing is known about what is around the value.
/// `phrase` says that it may have spaces in it.
pub(super) fn find(text: &str, start: usize, nesting: usize, phrase: bool) -> Option<Value> {
    let bytes = text.as_bytes();
    let slashes = bytes[start..].iter().take_while(|byte| **byte == b'\\').count();
    match bytes.get(start + slashes) {
        Some(b'"') if closes_around(slashes, nesting) => None,
        Some(quote @ (b'"' | b'\'')) => {
            let content = start + slashes + 1;
            let (End::Closed(end) | End::CutOff(end)) = end_of_string(bytes, content, *quote, slashes, nesting);
            Some(Value { range: content..end, quoted: true })
        }
        _ => {
            let end = end_of_text(&bytes[..end_of_bare(bytes, start, nesting, phrase)], start);
            (end > start).then_some(Value { range: start..end, quoted: false })
        }
    }
}

enum End {
    Closed(usize),
    /// The text or the string around it ended first.
    CutOff(usize),
}

/// Whether a `"` with this many backslashes closes a string whose own quotes have `slashes` of them.
/// Such a string writes a quote with `2 * slashes + 1` backslashes and a backslash with `2 * slashes + 2`.
fn closes(run: usize, slashes: usize) -> bool {
    run % (2 * slashes + 2) == slashes
}

/// Whether it closes one of the strings around that one.
fn closes_around(run: usize, slashes: usize) -> bool {
    let outer = |slashes: &usize| slashes.checked_sub(1).map(|rest| rest / 2);
    std::iter::successors(outer(&slashes), outer).any(|slashes| closes(run, slashes))
}

fn end_of_string(bytes: &[u8], start: usize, quote: u8, slashes: usize, nesting: usize) -> End {
    let mut run = 0;
    for (at, byte) in bytes.iter().enumerate().skip(start) {
        match *byte {
            b'\\' => run += 1,
            b'"' if closes_around(run, nesting.max(slashes)) => return End::CutOff(at - run),
            byte if byte == quote && closes(run, slashes) => return End::Closed(at - slashes),
            _ => run = 0,
        }
    }
    End::CutOff(end_of_text(bytes, start))
}

/// A value without quotes: a word, a phrase, `Some("…")`, a list. When a bracket stays open, all that is left.
fn end_of_bare(bytes: &[u8], start: usize, nesting: usize, phrase: bool) -> usize {
    let mut open = 0_usize;
    let mut run = 0;
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        let rest = &bytes[at + 1..];
        match byte {
            b'\\' => {
                run += 1;
                at += 1;
                continue;
            }
            b'"' if open == 0 || closes_around(run, nesting) => return at - run,
            b'"' => match end_of_string(bytes, at + 1, b'"', run, nesting) {
                End::Closed(end) => at = end + run,
                End::CutOff(_) if nesting == 0 => return bytes.len(),
                End::CutOff(end) => return end,
            },
            b'\x1b' => return at,
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' if open > 0 => open -= 1,
            _ if open > 0 => {}
            b'\n' | b'\r' => return at,
            b')' | b']' | b'}' if !phrase || is_behind_value(rest.first()) => return at,
            // `token: Token { … }` is one value.
            b' ' if !phrase && rest.first() == Some(&b'{') => {}
            b' ' | b'\t' | b',' | b';' | b'&' if !phrase => return at,
            // In a list of cookies each has a name of its own.
            b' ' | b',' | b'&' if bytes[at - 1] != b';' && names_next(*byte, rest) => return at,
            _ => {}
        }
        run = 0;
        at += 1;
    }
    at
}

/// Whether a closing bracket with this behind it closes something around the value.
fn is_behind_value(next: Option<&u8>) -> bool {
    next.is_none_or(|byte| byte.is_ascii_whitespace() || b":,;)]}\"\\".contains(byte))
}

/// Whether another `name=` follows, after a comma also `name:`.
fn names_next(separator: u8, rest: &[u8]) -> bool {
    // Of many spaces only the last is asked to look ahead.
    if separator == b' ' && rest.first() == Some(&b' ') {
        return false;
    }
    let rest = rest.trim_ascii_start();
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte)).count();
    name > 0 && rest.get(name).is_some_and(|sign| *sign == b'=' || (separator == b',' && *sign == b':'))
}

/// Spaces and the line break at the end are not part of the value.
fn end_of_text(bytes: &[u8], start: usize) -> usize {
    start + bytes[start..].trim_ascii_end().len()
}
