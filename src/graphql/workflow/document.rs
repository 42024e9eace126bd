//! A workflow's document as an argument.

use crate::{domain::refusal::Refusal, engine::commands::Document, graphql::json::Json};

/// The one of the two ways to give a document that the caller chose.
pub fn one_of(definition: Option<Json>, source: Option<String>) -> Result<Document, Refusal> {
    match (definition, source) {
        (Some(Json(value)), None) => Ok(Document::Definition(value)),
        (None, Some(text)) => Ok(Document::Source(text)),
        (Some(_), Some(_)) => Err(Refusal::invalid("source", "give `definition` or `source`, not both")),
        (None, None) => Err(Refusal::invalid("definition", "give the document as `definition` or as `source`")),
    }
}
