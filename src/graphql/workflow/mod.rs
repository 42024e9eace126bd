//! Workflows: named graphs of steps, each save a numbered version.

mod document;
mod draft;
mod mutations;
mod preview;
mod problem;
mod queries;
mod version;

use async_graphql::{Context, ID, Object};
use chrono::{DateTime, Utc};

use super::{
    caller::ContextExt,
    connection::{PageArgs, connection, page_cost},
    error::Result,
    loaders::{DraftOf, VersionOf},
};
use crate::store::workflows;

pub use draft::WorkflowDraft;
pub use mutations::WorkflowMutation;
pub use preview::PreviewQuery;
pub use queries::WorkflowQuery;
pub use version::{WorkflowVersion, WorkflowVersionConnection};

/// A named graph of steps. Each save makes a version that never changes; executions run versions.
#[derive(Clone)]
pub struct Workflow(pub workflows::Workflow);

/// A named graph of steps. Each save makes a version that never changes; executions run versions.
#[Object]
impl Workflow {
    /// The workflow's global id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// The name, unique in the workspace: what the latest version says, or the draft while there is no version.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// What the workflow is for: what the latest version says, or the draft while there is no version.
    async fn description(&self) -> &str {
        &self.0.description
    }

    /// The version that new executions run; null while there is only a draft.
    async fn latest_version(&self, ctx: &Context<'_>) -> Result<Option<WorkflowVersion>> {
        match self.0.latest_version {
            Some(number) => find_version(ctx, VersionOf(self.0.id, number)).await,
            None => Ok(None),
        }
    }

    /// The version with this number; null if there is none.
    async fn version(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The version's number.")] number: i32,
    ) -> Result<Option<WorkflowVersion>> {
        find_version(ctx, VersionOf(self.0.id, number)).await
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
    ) -> Result<WorkflowVersionConnection> {
        version::page_of_versions(ctx, &self.0, PageArgs { first, after, last, before }).await
    }

    /// What is being worked on; null if nothing is.
    async fn draft(&self, ctx: &Context<'_>) -> Result<Option<WorkflowDraft>> {
        Ok(ctx.loaders()?.load(DraftOf(self.0.id)).await?.map(WorkflowDraft))
    }

    /// When it was made.
    async fn created_at(&self) -> DateTime<Utc> {
        self.0.created_at
    }

    /// When it was last changed, archived or brought back.
    async fn updated_at(&self) -> DateTime<Utc> {
        self.0.updated_at
    }

    /// When it was archived: it cannot be changed or started until it is brought back.
    async fn archived_at(&self) -> Option<DateTime<Utc>> {
        self.0.archived_at
    }
}

/// A version of a workflow; nothing if there is none.
pub async fn find_version(ctx: &Context<'_>, version: VersionOf) -> Result<Option<WorkflowVersion>> {
    Ok(ctx.loaders()?.load(version).await?.map(WorkflowVersion))
}

connection! {
    /// A page of workflows.
    WorkflowConnection,
    /// A workflow and where it stands in its list.
    WorkflowEdge, Workflow
}
