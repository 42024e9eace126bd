//! Decides which of the places that the pattern found are masked, and how much of each.

use std::{
    borrow::Cow,
    cell::{Cell, OnceCell},
    ops::Range,
};

use regex::CaptureLocations;

use super::{EMAIL, MASKED, OPENING, is_harmless, value};

/// The groups of the pattern.
mod group {
    pub const OURS: usize = 1;
    pub const JWT: usize = 2;
    pub const PRIVATE_KEY: usize = 3;
    pub const BEARER: usize = 4;
    pub const CREDENTIALS: usize = 5;
    pub const USER_INFO: usize = 6;
    pub const NAME: usize = 7;
    pub const NAME_OF_PHRASE: usize = 8;
    pub const NAME_QUOTE: usize = 9;
    pub const SIGN: usize = 10;
    pub const MAIL_DOMAIN: usize = 11;
}

pub(super) enum Verdict<'t> {
    Replace(Range<usize>, Cow<'t, str>),
    /// Nothing to hide up to here; something may begin behind it.
    KeepTo(usize),
}

pub(super) struct Candidates<'t> {
    text: &'t str,
    pub groups: CaptureLocations,
    is_json: OnceCell<bool>,
    /// Up to here no URL has an `@`: asked once for each word, not for each URL in it.
    no_user_info_to: Cell<usize>,
}

impl<'t> Candidates<'t> {
    pub fn new(text: &'t str, groups: CaptureLocations) -> Self {
        Self { text, groups, is_json: OnceCell::new(), no_user_info_to: Cell::new(0) }
    }

    fn group(&self, group: usize) -> Option<Range<usize>> {
        self.groups.get(group).map(|(start, end)| start..end)
    }

    /// What to do with the match that the groups are of. What is before `copied` has been dealt with.
    pub fn judge(&self, found: Range<usize>, copied: usize) -> Verdict<'t> {
        let text = self.text;
        let masked = |range| Verdict::Replace(range, MASKED.into());
        if let Some(secret) = self.group(group::OURS).or_else(|| self.group(group::JWT)) {
            masked(secret)
        } else if let Some(key) = self.group(group::PRIVATE_KEY) {
            masked(key.start..end_of_private_key(text, key.end))
        } else if let Some(credentials) = self.group(group::CREDENTIALS) {
            let shown = &text[credentials.clone()];
            match self.group(group::BEARER) {
                Some(_) if is_bearer_token(shown) => masked(credentials),
                None if is_user_and_password(shown) => masked(credentials),
                _ => Verdict::KeepTo(credentials.start),
            }
        } else if let Some(user_info) = self.group(group::USER_INFO) {
            match self.end_of_user_info(user_info.start) {
                Some(end) => masked(user_info.start..end),
                None => Verdict::KeepTo(user_info.start),
            }
        } else if self.group(group::MAIL_DOMAIN).is_some() {
            match start_of_mailbox(&text[copied..found.start]) {
                Some(start) => Verdict::Replace(copied + start..found.end, EMAIL.into()),
                None => Verdict::KeepTo(found.end),
            }
        } else {
            self.named_value(found.end).unwrap_or(Verdict::KeepTo(found.end))
        }
    }

    /// Up to the last `@` of the word, because passwords in hand-written URLs have an `@` too.
    fn end_of_user_info(&self, start: usize) -> Option<usize> {
        if start < self.no_user_info_to.get() {
            return None;
        }
        let rest = &self.text[start..];
        let is_behind = |c: char| c.is_whitespace() || "\"'\\<>".contains(c);
        let length = rest.find(is_behind).unwrap_or(rest.len());
        let at = rest[..length].rfind('@');
        if at.is_none() {
            self.no_user_info_to.set(start + length);
        }
        at.map(|at| start + at)
    }

    /// The value of something whose name sounds secret: `name=value`, `"name":"value"`, `name: "value"`.
    fn named_value(&self, start: usize) -> Option<Verdict<'t>> {
        let text = self.text;
        let name = self.group(group::NAME)?;
        let sign = &text[self.group(group::SIGN)?];
        let is_phrase = self.group(group::NAME_OF_PHRASE).is_some();
        // What closes a name in JSON, with the backslashes that a string within a string puts before it.
        let quote = self.group(group::NAME_QUOTE).map(|quote| &text[quote]).filter(|quote| quote.ends_with('"'));
        let rest = &text[start..];
        let is_code = rest.starts_with(':') || rest.starts_with("= ");
        if is_code || (sign == ":" && quote.is_none() && !value::is_quoted(rest) && is_prose(text, name)) {
            return None;
        }
        let nesting = match quote {
            Some(quote) => quote.len() - 1,
            None => usize::from(*self.is_json.get_or_init(|| value::is_json(text))),
        };
        let is_phrase = is_phrase && quote.is_none();
        let mut value = value::find(text, start, nesting, is_phrase)?;
        // `S { url: "/?token=", password: "…" }`: what seemed to open a value closed the text before it,
        // and what seemed to be the value ends with the name of the next one.
        let mut last = value.range.clone();
        while quote.is_none() && OPENING.is_match(&text[last.clone()]) {
            let Some(next) = value::find(text, last.end, nesting, is_phrase) else {
                break;
            };
            value.range.end = next.range.end;
            last = next.range;
        }
        if is_harmless(&text[value.range.clone()]) {
            return None;
        }
        let by = match quote {
            // A number or a list becomes a string, because `[masked]` alone is not JSON.
            Some(quote) if !value.quoted => format!("{quote}{MASKED}{quote}").into(),
            _ => MASKED.into(),
        };
        Some(Verdict::Replace(value.range, by))
    }
}

/// Tells `Bearer 5f2c…` from "bearer token is missing" and from a challenge, as in `Bearer realm="…"`.
fn is_bearer_token(text: &str) -> bool {
    const PROSE: &[&str] = &[
        "auth",
        "authentication",
        "authorization",
        "credentials",
        "error",
        "header",
        "realm",
        "scheme",
        "token",
        "tokens",
    ];
    let word = text.trim_end_matches(['.', '=']);
    !PROSE.iter().any(|prose| prose.eq_ignore_ascii_case(word))
}

/// Base64, whereas "basic" is mostly just a word before another one.
fn is_user_and_password(text: &str) -> bool {
    text.len() >= 8 && text.bytes().skip(1).any(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'=')
}

/// Behind the last line of the key or, when it was cut off, at the end of the string it stands in.
fn end_of_private_key(text: &str, from: usize) -> usize {
    const LAST_LINE: &str = "PRIVATE KEY-----";
    let rest = &text[from..];
    let end = rest.find(LAST_LINE).map_or(rest.len(), |at| at + LAST_LINE.len());
    let end = rest[..end].find('"').unwrap_or(end);
    from + rest[..end].trim_end_matches('\\').len()
}

/// Where the name before an `@` starts.
fn start_of_mailbox(before: &str) -> Option<usize> {
    let within = |c: char| c > ' ' && c != '\u{7f}' && !"\"`<>()[]{},;:=\\/|@&?".contains(c);
    let rest = before.trim_end_matches(within);
    let name = &before[rest.len()..];
    // The `n` of a `\n` before the name is not part of it, and without it the string would be broken.
    let escape = match name.as_bytes() {
        [b'b' | b'f' | b'n' | b'r' | b't', ..] if rest.ends_with('\\') => 1,
        [b'u', digits @ ..] if rest.ends_with('\\') => {
            digits.iter().take(4).take_while(|b| b.is_ascii_hexdigit()).count() + 1
        }
        _ => 0,
    };
    // O'Brien has an apostrophe in the middle; one at the start is a quote.
    let name = name[escape..].trim_start_matches('\'');
    (!name.is_empty()).then_some(before.len() - name.len())
}

/// Whether a name and a colon are a sentence ("invalid token: expired"), the end of a module's path
/// (`countersign::store::secret: …`) or a coloured span, rather than a field (`{ token: …`).
fn is_prose(text: &str, name: Range<usize>) -> bool {
    let before = text[..name.start].trim_end_matches(|c: char| c.is_ascii_alphanumeric() || "_-.".contains(c));
    let is_sentence = before.ends_with(' ') && before.trim_end().ends_with(char::is_alphanumeric);
    // A cookie has no error of its own to speak of; behind its name there is always a value.
    let is_cookie = text[name].to_ascii_lowercase().contains("cookie");
    (is_sentence && !is_cookie) || before.ends_with("::") || before.ends_with("\u{1b}[")
}
