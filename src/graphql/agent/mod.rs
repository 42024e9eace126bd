//! The library of agents.

mod mutations;
mod queries;

use std::sync::Arc;

use async_graphql::{Context, Enum, ID, Object};
use chrono::{DateTime, Utc};

use super::{
    caller::ContextExt,
    connection::connection,
    error::{Fault, Result},
    json::Json,
    loaders::SpecOf,
};
use crate::{
    domain::{
        agent::{self, Config, Spec},
        role::Role,
    },
    store::agents,
};

pub use mutations::AgentMutation;
pub use queries::AgentQuery;

/// How an agent does its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "agent::Kind")]
pub enum AgentKind {
    /// Calls a URL.
    Http,
    /// Waits for somebody's own program, which claims the work from a queue.
    Worker,
    /// Computes its output from its input.
    Transform,
}

/// How much harm an action can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "agent::RiskLevel")]
pub enum RiskLevel {
    /// Next to none.
    Low,
    /// Some, which can be undone.
    Medium,
    /// Much, or hard to undo.
    High,
    /// Grave, or for ever.
    Critical,
}

/// A named, reusable worker. Workflows refer to it by name. Each change makes a new version; executions go on with the
/// version that they began with.
#[derive(Clone)]
pub struct Agent(pub agents::Agent);

impl Agent {
    async fn spec(&self, ctx: &Context<'_>) -> Result<Arc<Spec>> {
        let found = ctx.loaders()?.load(SpecOf(self.0.id, self.0.version)).await?;
        found.ok_or_else(|| {
            tracing::error!(agent = %self.0.id, version = self.0.version, "an agent has no specification");
            Fault::Internal
        })
    }
}

/// A named, reusable worker. Workflows refer to it by name. Each change makes a new version; executions go on with the
/// version that they began with.
#[Object]
impl Agent {
    /// The agent's global id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// The name, unique in the workspace. It never changes.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// How it does its work. It never changes.
    async fn kind(&self) -> AgentKind {
        self.0.kind.into()
    }

    /// The newest version's number. The first is 1.
    async fn version(&self) -> i32 {
        self.0.version
    }

    /// What the agent is for.
    async fn description(&self, ctx: &Context<'_>) -> Result<String> {
        Ok(self.spec(ctx).await?.description.clone())
    }

    /// How it is set up, with the defaults of its kind filled in. The names of secrets are for those with the role AUTHOR or
    /// APPROVER; others see `{{ secret.••• }}`.
    async fn config(&self, ctx: &Context<'_>) -> Result<Json> {
        shown_config(ctx, &self.spec(ctx).await?.config)
    }

    /// The JSON Schema of its input; null: anything.
    async fn input_schema(&self, ctx: &Context<'_>) -> Result<Option<Json>> {
        Ok(self.spec(ctx).await?.input_schema.clone().map(Json))
    }

    /// The JSON Schema of its output; null: anything.
    async fn output_schema(&self, ctx: &Context<'_>) -> Result<Option<Json>> {
        Ok(self.spec(ctx).await?.output_schema.clone().map(Json))
    }

    /// What kind of action it is, for policies: a word such as `refund`.
    async fn operation_type(&self, ctx: &Context<'_>) -> Result<Option<String>> {
        Ok(self.spec(ctx).await?.operation_type.clone())
    }

    /// How much harm its action can do.
    async fn risk_level(&self, ctx: &Context<'_>) -> Result<RiskLevel> {
        Ok(self.spec(ctx).await?.risk_level.into())
    }

    /// When it was made.
    async fn created_at(&self) -> DateTime<Utc> {
        self.0.created_at
    }

    /// When it was last changed, archived or brought back.
    async fn updated_at(&self) -> DateTime<Utc> {
        self.0.updated_at
    }

    /// When it was archived: workflows that name it cannot be saved or started until it is brought back.
    async fn archived_at(&self) -> Option<DateTime<Utc>> {
        self.0.archived_at
    }
}

/// A config for the caller. Authors write the names of secrets, and approvers approve what is sent; others need none.
pub fn shown_config(ctx: &Context<'_>, config: &Config) -> Result<Json> {
    let roles = ctx.viewer()?.roles;
    Ok(Json(match config {
        Config::Http(http) if !roles.allow(Role::Author) && !roles.allow(Role::Approver) => {
            Config::Http(http.without_secret_names()).to_value()
        }
        Config::Http(_) | Config::Worker(_) | Config::Transform(_) => config.to_value(),
    }))
}

connection! {
    /// A page of agents.
    AgentConnection,
    /// An agent and where it stands in its list.
    AgentEdge, Agent
}
