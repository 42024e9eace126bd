//! Finding rows by part of a text, and by whether something has happened to them.

use sea_orm::{
    ColumnTrait,
    sea_query::{LikeExpr, SimpleExpr},
};

/// How names are kept for searches. The databases' own functions disagree beyond ASCII.
pub fn fold(text: &str) -> String {
    text.to_lowercase()
}

/// Matches what has this text in it, which is meant literally, once folded.
pub fn containing(text: &str) -> LikeExpr {
    let literal = fold(text).replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    LikeExpr::new(format!("%{literal}%")).escape('\\')
}

/// Whether the time of an event, such as archiving, is known.
pub fn has_happened(at: impl ColumnTrait, happened: bool) -> SimpleExpr {
    if happened { at.is_not_null() } else { at.is_null() }
}
