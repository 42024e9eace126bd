//! What an execution's journal says, read once for all fields that ask for it.

use std::sync::Arc;

use async_graphql::Context;
use futures_util::future::try_join_all;
use tokio::sync::{Mutex, OnceCell};

use super::Execution;
use crate::{
    domain::{
        execution::{Data, StepStatus},
        json::Json,
        workflow::Values,
    },
    engine::execution::Inspected,
    graphql::{
        caller::ContextExt,
        error::{Fault, Result},
        loaders::JournalOf,
    },
};

/// An execution's journal added up, and its values once somebody needs all of them.
pub struct Inspection {
    pub journal: Arc<Inspected>,
    values: OnceCell<Values>,
}

/// The latest look into the journal, shared by all copies of an execution.
pub type Latest = Arc<Mutex<Option<Arc<Inspection>>>>;

impl Execution {
    /// The journal as it was after the event with this number, or later. A list of executions reads all of its
    /// journals together.
    pub async fn inspect(&self, ctx: &Context<'_>, seq: u64) -> Result<Arc<Inspection>> {
        let mut latest = self.latest.lock().await;
        if let Some(found) = latest.as_ref().filter(|found| found.journal.state.seq >= seq) {
            return Ok(Arc::clone(found));
        }
        let journal = ctx.loaders()?.load(JournalOf(self.row.id)).await?.ok_or(Fault::Internal)?;
        let found = Arc::new(Inspection { journal, values: OnceCell::new() });
        *latest = Some(Arc::clone(&found));
        Ok(found)
    }
}

impl Inspection {
    /// The input and all outputs.
    pub async fn values(&self, ctx: &Context<'_>) -> Result<&Values> {
        let load = || async {
            let state = &self.journal.state;
            let outputs = state.steps.iter().map(|step| async {
                match &step.output {
                    Some(data) => value(ctx, data).await.map(Some),
                    None => Ok(None),
                }
            });
            Ok(Values { input: value(ctx, &state.input).await?, outputs: try_join_all(outputs).await? })
        };
        self.values.get_or_try_init(load).await
    }

    /// The input of a step; nothing if it has not begun.
    pub async fn step_input(&self, ctx: &Context<'_>, step: usize) -> Result<Option<Json>> {
        let Some(state) = self.journal.state.steps.get(step) else { return Ok(None) };
        if let Some(approved) = state.approved.as_ref().filter(|_| state.computed.is_some()) {
            // Exactly what people approved, whatever it was computed from.
            return value(ctx, &approved.input).await.map(Some);
        }
        match &state.computed {
            Some(computed) => {
                let computed = value(ctx, computed).await?;
                let values = self.values(ctx).await?;
                let input = self.journal.step_input(step, &computed, values);
                let failed = state.status == StepStatus::Failed;
                Ok(input.or_else(|| failed.then(|| self.journal.context_before(step, values))))
            }
            // It failed because its input could not be made: this is what it would have been made from.
            None if state.status == StepStatus::Failed => {
                Ok(Some(self.journal.context_before(step, self.values(ctx).await?)))
            }
            None => Ok(None),
        }
    }
}

/// A value of an event: itself, or what it refers to.
pub async fn value(ctx: &Context<'_>, data: &Data) -> Result<Json> {
    match data {
        Data::Inline(json) => Ok(json.clone()),
        Data::Stored { hash, .. } => ctx.loaders()?.load(*hash).await?.ok_or_else(|| {
            tracing::error!(%hash, "a stored value is gone");
            Fault::Internal
        }),
    }
}
