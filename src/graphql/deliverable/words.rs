//! The words for what deliverables are.

use async_graphql::Enum;

use crate::domain::deliverable;

/// What a deliverable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "deliverable::Type")]
pub enum DeliverableType {
    /// Something to read.
    Document,
    /// Source text of programs, or a change of it.
    Code,
    /// Tables and other data.
    Data,
    /// Images, sound and film.
    Media,
    /// Anything else.
    Other,
}

/// Where a deliverable stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "deliverable::Status")]
pub enum DeliverableStatus {
    /// It may still change.
    Draft,
    /// It is frozen: only another version can follow, as a draft.
    Final,
    /// Nobody needs it now. Its content may be deleted after a while.
    Archived,
}

/// Where content is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "deliverable::Storage")]
pub enum DeliverableStorage {
    /// In the database: content up to 1 MiB.
    Inline,
    /// In a file of its own: larger content.
    File,
    /// Elsewhere: only its address is known.
    External,
}

/// How content is best shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "deliverable::PreviewKind")]
pub enum PreviewKind {
    /// Text with headings, lists and the like: its source is in `text`.
    Markdown,
    /// Rows of cells, in `rows`.
    Table,
    /// An image: `contentUrl` with `preview` shows it.
    Image,
    /// Source text.
    Code,
    /// A change of texts, as a unified diff.
    Diff,
    /// JSON.
    Json,
    /// Plain text.
    Text,
    /// A PDF: `contentUrl` with `preview` shows it.
    Pdf,
    /// Nothing that can be shown here.
    None,
}
