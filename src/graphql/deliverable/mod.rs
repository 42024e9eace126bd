//! Deliverables: what executions leave behind.

mod content;
mod create;
mod filter;
mod preview;
mod queries;
mod settle;
mod subscription;
mod version;
mod words;

use std::sync::Arc;

use async_graphql::{Context, ID, Object};
use chrono::{DateTime, Utc};

use super::{
    agent::Agent,
    audit::Actor,
    caller::ContextExt,
    checkpoint::Checkpoint,
    connection::{PageArgs, connection, page_cost},
    error::{Fault, Result},
    event::step_key,
    execution::Execution,
    loaders::DeliverableVersionOf,
};
use crate::store::deliverables;

pub use create::CreateDeliverableMutation;
pub use queries::{DeliverableQuery, page_of_execution};
pub use settle::SettleMutation;
pub use subscription::DeliverableSubscription;
pub use version::link_lasts;
use version::{DeliverableVersion, DeliverableVersionConnection, page_of_versions};
use words::{DeliverableStatus, DeliverableType};

/// Something that an execution leaves behind: a document, code, data or media.
#[derive(Clone)]
pub struct Deliverable(pub Arc<deliverables::Deliverable>);

impl From<deliverables::Deliverable> for Deliverable {
    fn from(row: deliverables::Deliverable) -> Self {
        Self(Arc::new(row))
    }
}

/// Something that an execution leaves behind: a document, code, data or media.
#[Object]
impl Deliverable {
    /// The deliverable's global id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// What it is called, and a file with its content.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// What it is about.
    async fn description(&self) -> &str {
        &self.0.description
    }

    /// What it is.
    #[graphql(name = "type")]
    async fn kind(&self) -> DeliverableType {
        self.0.r#type.into()
    }

    /// Where it stands.
    async fn status(&self) -> DeliverableStatus {
        self.0.status.into()
    }

    /// The number of its newest version.
    async fn version_number(&self) -> i32 {
        self.0.version
    }

    /// Its newest version, or the one with a number; null if there is no such version.
    async fn version(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The version's number; absent: the newest.")] number: Option<i32>,
    ) -> Result<Option<DeliverableVersion>> {
        let key = DeliverableVersionOf(self.0.id, number.unwrap_or(self.0.version));
        let found = ctx.loaders()?.load(key).await?;
        Ok(found.map(|version| DeliverableVersion { deliverable: self.clone(), version }))
    }

    /// All versions, newest first.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    async fn versions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
    ) -> Result<DeliverableVersionConnection> {
        page_of_versions(ctx, self, PageArgs { first, after, last, before }).await
    }

    /// The execution that it belongs to. What was handed in alone has one of its own, without steps.
    async fn execution(&self, ctx: &Context<'_>) -> Result<Execution> {
        Ok(ctx.loaders()?.load(self.0.execution).await?.ok_or(Fault::Internal)?.into())
    }

    /// The key of the step that made it; null if none did.
    async fn step_key(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        match self.0.step {
            Some(step) => step_key(ctx, self.0.execution, step).await.map(Some),
            None => Ok(None),
        }
    }

    /// The agent whose step made it; null if none did.
    async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
        match self.0.agent {
            Some(id) => Ok(ctx.loaders()?.load(id).await?.map(Agent)),
            None => Ok(None),
        }
    }

    /// The checkpoint that let its step through, or that it was handed in for; null if there is none.
    async fn checkpoint(&self, ctx: &Context<'_>) -> Result<Option<Checkpoint>> {
        match self.0.checkpoint {
            Some(id) => Ok(ctx.loaders()?.load(id).await?.map(Checkpoint::from)),
            None => Ok(None),
        }
    }

    /// Who made it.
    async fn created_by(&self) -> Actor {
        Actor(self.0.actor)
    }

    /// When it was made.
    async fn created_at(&self) -> DateTime<Utc> {
        self.0.created_at
    }

    /// When it was last changed.
    async fn updated_at(&self) -> DateTime<Utc> {
        self.0.updated_at
    }

    /// When it was archived; null if it is not.
    async fn archived_at(&self) -> Option<DateTime<Utc>> {
        self.0.archived_at
    }

    /// When its content was deleted, as the workspace wants it for what is archived; null if it is there.
    async fn content_deleted_at(&self) -> Option<DateTime<Utc>> {
        self.0.content_deleted_at
    }
}

connection! {
    /// A page of deliverables.
    DeliverableConnection,
    /// A deliverable and where it stands in its list.
    DeliverableEdge, Deliverable
}
