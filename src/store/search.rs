//! Finding rows by part of a text.

use sea_orm::sea_query::LikeExpr;

/// How names are kept for searches. The databases' own functions disagree beyond ASCII.
pub fn fold(text: &str) -> String {
    text.to_lowercase()
}

/// Matches what has this text in it, which is meant literally.
pub fn containing(folded: &str) -> LikeExpr {
    let literal = folded.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    LikeExpr::new(format!("%{literal}%")).escape('\\')
}
