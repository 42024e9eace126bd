//! The first part of content.

use async_graphql::{Context, SimpleObject};

use super::words::PreviewKind;
use crate::{
    domain::{
        access::Scope,
        deliverable::{self, HEAD, Preview, Storage},
    },
    graphql::{
        caller::ContextExt,
        error::{Fault, Result, outcome},
        loaders::HeadOf,
    },
    store::deliverables::{Deliverable, Version},
};

/// The first part of content, in a form that a page can show.
#[derive(SimpleObject)]
pub struct DeliverablePreview {
    /// How it is best shown.
    kind: PreviewKind,
    /// The start of a text: at most 64 KiB.
    text: Option<String>,
    /// The first rows of a table: at most 100 of at most 50 cells of at most 500 characters.
    rows: Option<Vec<DeliverablePreviewRow>>,
    /// Whether there is more of it than this.
    truncated: bool,
}

/// A row of a table.
#[derive(SimpleObject)]
pub struct DeliverablePreviewRow {
    /// Its cells.
    cells: Vec<String>,
}

impl From<Preview> for DeliverablePreview {
    fn from(preview: Preview) -> Self {
        let Preview { kind, text, rows, truncated } = preview;
        let rows = rows.map(|rows| rows.into_iter().map(|cells| DeliverablePreviewRow { cells }).collect());
        Self { kind: kind.into(), text, rows, truncated }
    }
}

/// Shows the first part of a version. Never more than that is read.
pub async fn preview_of(
    ctx: &Context<'_>,
    scope: Scope,
    deliverable: &Deliverable,
    version: &Version,
) -> Result<DeliverablePreview> {
    let kind = deliverable::kind_of(&version.mime_type, deliverable.r#type);
    let Some(size) = version.size.filter(|_| deliverable.content_deleted_at.is_none()) else {
        return Ok(Preview::only(deliverable::PreviewKind::None).into());
    };
    if !kind.needs_head() {
        return Ok(Preview::only(kind).into());
    }
    let head = match version.storage {
        Storage::Inline => ctx.loaders()?.load(HeadOf(version.deliverable, version.number)).await?,
        Storage::File | Storage::External => {
            outcome(ctx.engine().head_of_file(scope, version).await)?.map_err(|_| Fault::Internal)?
        }
    };
    let Some(head) = head else { return Ok(Preview::only(deliverable::PreviewKind::None).into()) };
    let whole = size <= HEAD as u64;
    Ok(deliverable::preview(kind, &version.mime_type, &head, whole).into())
}
