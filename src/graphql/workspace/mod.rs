//! The tenant.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::{
    caller::ContextExt,
    error::{Fault, Result, UserError, outcome},
};
use crate::{domain::role::Role, store::workspaces};

/// A tenant: its people, programs and everything that they make. Nothing crosses from one to another.
#[derive(Clone)]
pub struct Workspace(pub workspaces::Workspace);

/// A tenant: its people, programs and everything that they make. Nothing crosses from one to another.
#[Object]
impl Workspace {
    /// The workspace's global id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// The short name in URLs and commands.
    async fn slug(&self) -> &str {
        &self.0.slug
    }

    /// The name that people see.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// After how many days the content of archived deliverables is deleted; null if it is kept for ever.
    async fn deliverable_retention_days(&self) -> Option<i32> {
        self.0.deliverable_retention_days
    }

    /// When the workspace was made.
    async fn created_at(&self) -> DateTime<Utc> {
        self.0.created_at
    }
}

/// The caller's workspace.
pub async fn own_workspace(ctx: &Context<'_>) -> Result<Workspace> {
    let scope = ctx.require(Role::Viewer)?;
    Ok(Workspace(ctx.engine().store().workspace(scope).await?.ok_or(Fault::Internal)?))
}

#[derive(Default)]
pub struct WorkspaceQuery;

#[Object]
impl WorkspaceQuery {
    /// The workspace that the caller acts in.
    async fn workspace(&self, ctx: &Context<'_>) -> Result<Workspace> {
        own_workspace(ctx).await
    }
}

/// What to change of the workspace.
#[derive(InputObject)]
pub struct UpdateWorkspaceInput {
    /// The name that people see: 1 to 100 characters.
    name: String,
}

/// The changed workspace, or what was wrong.
#[derive(SimpleObject)]
pub struct UpdateWorkspacePayload {
    /// The workspace after the change.
    workspace: Option<Workspace>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

#[derive(Default)]
pub struct WorkspaceMutation;

#[Object]
impl WorkspaceMutation {
    /// Changes the workspace's name. Needs the role ADMIN.
    async fn update_workspace(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: UpdateWorkspaceInput,
    ) -> Result<UpdateWorkspacePayload> {
        let scope = ctx.require(Role::Admin)?;
        let result = ctx.engine().rename_workspace(scope, &input.name, &ctx.caller().origin).await;
        Ok(match outcome(result)? {
            Ok(workspace) => UpdateWorkspacePayload { workspace: Some(Workspace(workspace)), user_errors: Vec::new() },
            Err(user_errors) => UpdateWorkspacePayload { workspace: None, user_errors },
        })
    }
}
