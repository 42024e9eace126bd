//! Secrets and personal data, taken out of any text on its way to a log or a collector.
//!
//! The rules look at text, not at types, because what leaks is what nobody thought of: an error of a library
//! that quotes a header, a `Debug` of a request, a URL. In doubt they take out too much.
//! A JSON document is still one afterwards. The time is linear in the length, whatever a client sends us to log.

mod candidate;
mod value;

use std::{borrow::Cow, sync::LazyLock};

use regex::Regex;

pub(super) const MASKED: &str = "[masked]";
const EMAIL: &str = "[email]";

/// Names whose values may have spaces in them: the mask cannot stop at the first one.
const NAMES_OF_PHRASES: &str =
    "pass(?:word|wd|phrase|code)s?|pwd|secrets?|credentials?|(?:set-?)?cookies?|authorization";
/// Not `tokens`: that is what language models are paid by.
const NAMES_OF_WORDS: &str =
    "token|jwt|(?:api|access|private|signing|encryption)[-_]?keys?|(?:password|passwd|secret|token)[-_]?hash";

/// A name that ends like this is secret, as in `metrics-token`, `clientSecret` and `http.request.header.cookie`.
static NAME: LazyLock<Regex> = LazyLock::new(|| compile(&format!("(?i-u:{NAMES_OF_PHRASES}|{NAMES_OF_WORDS})$")));

/// The colours of a terminal stand between the name of a field, the sign and the value.
const STYLE: &str = r"(?:\x1b\[[0-9;]*m)*";
const SIGN: &str = r"[ \t]*(=>|[=:])[ \t]*";

/// A text that ends where a secret begins.
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    compile(&format!(r#"(?i-u:{NAMES_OF_PHRASES}|{NAMES_OF_WORDS})(?:\\*["'])?{STYLE}{SIGN}{STYLE}$"#))
});

/// One pattern for everything, so that a line without a secret costs a single pass and no allocation.
/// It only finds candidates; whether and up to where they are masked is decided in code,
/// which can look behind and count quotes.
static FINDER: LazyLock<Regex> = LazyLock::new(|| {
    let letter = r"[A-Za-z\u{80}-\u{10ffff}]";
    let named = format!(r#"((?i-u:({NAMES_OF_PHRASES})|{NAMES_OF_WORDS}))(\\*["'])?{STYLE}{SIGN}{STYLE}"#);
    // With a digit in front there must be a letter or four numbers: `serde@1.0.2` is not a mailbox.
    let mailbox = format!(
        r"(?:@|%40)([0-9.-]*{letter}(?:[0-9_.-]*{letter}|[0-9_.-]*[0-9_])*|[0-9]+(?:\.[0-9]+){{3}}|\[[0-9A-Za-z:.]+\])"
    );
    let alternatives = [
        // Our own secrets, see `store::secret`.
        r"cs[trl]_([A-Za-z0-9_-]{16,})",
        // A JWT, also when it was cut off after the claims.
        r"(eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+){1,4})",
        r"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----)",
        r"(?i-u:(bearer)|basic)[ \t]+([A-Za-z0-9._~+/=-]+)",
        // A user and the start of a password, which a port with a path behind it is not.
        r#"://([^\s/?#"'\\@:\[]*:[0-9]*[^0-9\s/?#"'\\<>])"#,
        &named,
        &mailbox,
    ];
    compile(&alternatives.join("|"))
});

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is valid")
}

/// The text without secrets and personal data; the text itself when there are none.
pub fn mask(text: &str) -> Cow<'_, str> {
    // Asked first because this neither allocates nor keeps track of groups.
    let Some(first) = FINDER.find(text) else {
        return Cow::Borrowed(text);
    };
    let mut candidates = candidate::Candidates::new(text, FINDER.capture_locations());
    let mut masked = String::new();
    let mut copied = 0;
    let mut at = first.start();
    while let Some(found) = FINDER.captures_read_at(&mut candidates.groups, text, at) {
        match candidates.judge(found.range(), copied) {
            candidate::Verdict::Replace(range, by) => {
                masked.push_str(&text[copied..range.start]);
                masked.push_str(&by);
                copied = range.end;
                at = range.end;
            }
            candidate::Verdict::KeepTo(end) => at = end,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    masked.push_str(&text[copied..]);
    Cow::Owned(masked)
}

/// Whether what has this name is secret whatever its value looks like.
pub fn is_secret_name(name: &str) -> bool {
    NAME.is_match(name)
}

/// Whether a value tells nothing although its name sounds secret.
pub(super) fn is_harmless(value: &str) -> bool {
    matches!(value, "" | "?" | "null" | "None" | "true" | "false" | MASKED)
        // The placeholder of a statement, as in `token_hash = $1`.
        || value.strip_prefix('$').is_some_and(|number| number.parse::<u16>().is_ok())
        // An id names a secret without telling it.
        || value.parse::<crate::domain::id::NodeId>().is_ok()
}

#[cfg(test)]
mod tests;
