//! What a token is restricted to.

use async_graphql::{Context, InputObject, Object};

use crate::{
    domain::api_token,
    engine::commands::Limits,
    graphql::{agent::Agent, caller::ContextExt, error::Result, workflow::Workflow},
};

/// What a token may do only. A list that is null does not restrict; reading is never restricted.
pub struct ApiTokenRestrictions(pub api_token::Restrictions);

/// What a token may do only. A list that is null does not restrict; reading is never restricted.
#[Object]
impl ApiTokenRestrictions {
    /// The operation types that it may request and decide.
    async fn operation_types(&self) -> Option<&[String]> {
        self.0.operation_types.as_deref()
    }

    /// The workflows whose executions it may start, control, work on and decide.
    async fn workflows(&self, ctx: &Context<'_>) -> Result<Option<Vec<Workflow>>> {
        let Some(ids) = &self.0.workflows else { return Ok(None) };
        let mut found = ctx.loaders()?.load_many(ids.iter().copied()).await?;
        Ok(Some(ids.iter().filter_map(|id| found.remove(id)).map(Workflow).collect()))
    }

    /// The agents that it may run, work for and change.
    async fn agents(&self, ctx: &Context<'_>) -> Result<Option<Vec<Agent>>> {
        let Some(ids) = &self.0.agents else { return Ok(None) };
        let mut found = ctx.loaders()?.load_many(ids.iter().copied()).await?;
        Ok(Some(ids.iter().filter_map(|id| found.remove(id)).map(Agent).collect()))
    }

    /// The queues whose tasks it may take.
    async fn queues(&self) -> Option<&[String]> {
        self.0.queues.as_deref()
    }
}

/// What a new token may do only. A list that is absent does not restrict; reading is never restricted.
#[derive(Default, InputObject)]
pub struct ApiTokenRestrictionsInput {
    /// The operation types that it may request and decide: 1 to 100.
    operation_types: Option<Vec<String>>,
    /// The names of the workflows whose executions it may start, control, work on and decide: 1 to 100.
    workflows: Option<Vec<String>>,
    /// The names of the agents that it may run, work for and change: 1 to 100.
    agents: Option<Vec<String>>,
    /// The queues whose tasks it may take: 1 to 100.
    queues: Option<Vec<String>>,
}

impl From<ApiTokenRestrictionsInput> for Limits {
    fn from(input: ApiTokenRestrictionsInput) -> Self {
        let ApiTokenRestrictionsInput { operation_types, workflows, agents, queues } = input;
        Self { operation_types, workflows, agents, queues }
    }
}
