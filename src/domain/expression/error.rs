//! Why an expression has no value.

/// Why an evaluation failed: the expression and what was wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{expression}`: {message}")]
pub struct Error {
    /// The expression, shortened if it is long.
    pub expression: String,
    pub message: String,
}

const LONGEST_SHOWN: usize = 120;

impl Error {
    pub fn new(expression: &str, message: impl Into<String>) -> Self {
        Self { expression: shortened(expression), message: message.into() }
    }
}

/// A text's beginning, with a mark if there is more.
pub fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What went wrong inside, before it is known which expression it was.
#[derive(Debug, Clone)]
pub struct Fault {
    pub message: String,
    /// Whether `||`, `&&`, `all` and `exists` must not look past it.
    pub fatal: bool,
}

impl Fault {
    pub fn plain(message: impl Into<String>) -> Self {
        Self { message: message.into(), fatal: false }
    }

    pub fn fatal(message: impl Into<String>) -> Self {
        Self { message: message.into(), fatal: true }
    }
}
