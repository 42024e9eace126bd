//! Versions of workflows.

use async_graphql::{Context, Object};
use chrono::{DateTime, Utc};

use super::Workflow;
use crate::{
    domain::role::Role,
    graphql::{
        audit::Actor,
        caller::ContextExt,
        connection::{PageArgs, Total, connection},
        error::{Fault, Result},
        json::Json,
        loaders::{DocumentOf, NewestVersions, VersionOf},
    },
    store::{
        page::Slice,
        workflow_versions::{ORDER, VersionInfo},
        workflows,
    },
};

/// What a workflow says, or said. Nothing changes it.
#[derive(Clone)]
pub struct WorkflowVersion(pub VersionInfo);

/// What a workflow says, or said. Nothing changes it.
#[Object]
impl WorkflowVersion {
    /// The workflow.
    async fn workflow(&self, ctx: &Context<'_>) -> Result<Workflow> {
        ctx.loaders()?.load(self.0.workflow).await?.map(Workflow).ok_or_else(|| self.incomplete("workflow"))
    }

    /// The number. The first is 1.
    async fn number(&self) -> i32 {
        self.0.number
    }

    /// The document, exactly as it was saved.
    async fn definition(&self, ctx: &Context<'_>) -> Result<Json> {
        let document = ctx.loaders()?.load(DocumentOf(self.0.workflow, self.0.number)).await?;
        document.map(|document| Json(document.to_value())).ok_or_else(|| self.incomplete("document"))
    }

    /// The version whose document this one brought back.
    async fn restored_from(&self, ctx: &Context<'_>) -> Result<Option<WorkflowVersion>> {
        match self.0.restored_from {
            Some(number) => super::find_version(ctx, VersionOf(self.0.workflow, number)).await,
            None => Ok(None),
        }
    }

    /// When it was saved.
    async fn created_at(&self) -> DateTime<Utc> {
        self.0.created_at
    }

    /// Who saved it.
    async fn created_by(&self) -> Actor {
        Actor(self.0.created_by)
    }
}

impl WorkflowVersion {
    fn incomplete(&self, what: &'static str) -> Fault {
        tracing::error!(workflow = %self.0.workflow, version = self.0.number, what, "a version is incomplete");
        Fault::Internal
    }
}

connection! {
    /// A page of a workflow's versions.
    WorkflowVersionConnection,
    /// A version and where it stands in its list.
    WorkflowVersionEdge, WorkflowVersion
}

/// One page of a workflow's versions, newest first.
pub async fn page_of_versions(
    ctx: &Context<'_>,
    workflow: &workflows::Workflow,
    args: PageArgs,
) -> Result<WorkflowVersionConnection> {
    let scope = ctx.require(Role::Viewer)?;
    let page = args.page(ORDER)?;
    let slice = if page.from_end || page.after.is_some() || page.before.is_some() {
        ctx.engine().store().workflow_versions(scope, workflow.id, true, &page).await?
    } else {
        // The first page, which a list of workflows asks of each of them: loaded for all of them at once.
        let key = NewestVersions { workflow: workflow.id, size: page.size };
        let found = ctx.loaders()?.load(key).await?.unwrap_or_default();
        let shown = found.iter().take(usize::try_from(page.size).unwrap_or(usize::MAX));
        let rows: Vec<_> = shown.map(|info| (info.cursor(), info.clone())).collect();
        Slice { has_previous: false, has_next: found.len() > rows.len(), rows }
    };
    // Numbers have no gaps.
    let count = workflow.latest_version.unwrap_or(0).unsigned_abs().into();
    let total = Total::new(ctx, count, |_, count| async move { Ok(count) });
    Ok(WorkflowVersionConnection::new(slice.map(WorkflowVersion), total))
}
