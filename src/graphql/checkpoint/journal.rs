//! What only the journal of a checkpoint's execution has.

use std::sync::Arc;

use async_graphql::{Context, Object};
use tokio::sync::OnceCell;

use super::{
    Checkpoint,
    revision::{self, FieldChange},
};
use crate::{
    domain::checkpoint::{self, Revision, items},
    engine::execution::Inspected,
    graphql::{
        caller::ContextExt,
        error::{Fault, Result},
        execution::value,
        json::Json,
        loaders::JournalOf,
    },
};

/// The journal of an execution, read once for all fields of a checkpoint.
pub type Once = Arc<OnceCell<Arc<Inspected>>>;

impl Checkpoint {
    /// The checkpoint as its execution's journal has it. A list of checkpoints reads all of its journals together.
    pub async fn state(&self, ctx: &Context<'_>) -> Result<&checkpoint::Checkpoint> {
        let load = || async { ctx.loaders()?.load(JournalOf(self.row.execution)).await?.ok_or(Fault::Internal) };
        let journal = self.journal.get_or_try_init(load).await?;
        journal.state.checkpoint(self.row.id.0).ok_or(Fault::Internal)
    }
}

/// What differs between two revisions of a checkpoint.
pub async fn difference_between(
    ctx: &Context<'_>,
    state: &checkpoint::Checkpoint,
    from: Option<i32>,
    to: Option<i32>,
) -> Result<Vec<FieldChange>> {
    let latest = i32::try_from(state.revisions.len()).unwrap_or(i32::MAX);
    let find = |name: &str, number: i32| -> Result<&Revision> {
        let mut revisions = state.revisions.iter();
        let found = revisions.find(|revision| i64::from(revision.number) == i64::from(number));
        found.ok_or_else(|| Fault::BadInput(format!("`{name}` is {number}: the revisions are 1 to {latest}")))
    };
    let to = find("to", to.unwrap_or(latest))?;
    let before = i32::try_from(to.number).unwrap_or(i32::MAX).saturating_sub(1).max(1);
    let from = find("from", from.unwrap_or(before))?;
    revision::difference(ctx, from, to).await
}

/// What may be done: exactly this.
pub struct CheckpointOutcome(pub checkpoint::Checkpoint);

/// What may be done: exactly this.
#[Object]
impl CheckpointOutcome {
    /// The parameters that were approved.
    async fn approved_parameters(&self, ctx: &Context<'_>) -> Result<Json> {
        let proposal = self.0.proposal().ok_or(Fault::Internal)?;
        Ok(Json::from(&value(ctx, &proposal.parameters).await?))
    }

    /// The ids of the items that were approved; null for a proposal without items.
    async fn approved_items(&self, ctx: &Context<'_>) -> Result<Option<Vec<String>>> {
        let Some(data) = self.0.proposal().and_then(|proposal| proposal.items.as_ref()) else { return Ok(None) };
        let list = items::from_json(&value(ctx, data).await?);
        Ok(Some(list.into_iter().map(|item| item.id).collect()))
    }

    /// The answers by the ids of their questions; null unless it is of the kind CLARIFICATION.
    async fn answers(&self, ctx: &Context<'_>) -> Result<Option<Json>> {
        match self.0.answers() {
            Some(data) => Ok(Some(Json::from(&value(ctx, data).await?))),
            None => Ok(None),
        }
    }
}
