//! The code that runs once a checkpoint is approved.

use async_graphql::{Context, ID, InputObject, Object};

use super::payload::{Decided, decision_payload, of_command, parse_checkpoint};
use crate::{
    domain::{checkpoint, id::AgentId, role::Role},
    graphql::{
        agent::{Agent, shown_config},
        caller::ContextExt,
        error::{Fault, Result},
        json::Json,
        loaders::SpecOf,
    },
};

/// An agent at the version that people are asked about. Exactly this version runs, whatever the library has by then.
pub struct ApprovedAgent(pub checkpoint::Runs);

/// An agent at the version that people are asked about. Exactly this version runs, whatever the library has by then.
#[Object]
impl ApprovedAgent {
    /// The agent as it is in the library now; null if it is gone.
    async fn agent(&self, ctx: &Context<'_>) -> Result<Option<Agent>> {
        Ok(ctx.loaders()?.load(AgentId(self.0.agent)).await?.map(Agent))
    }

    /// The agent's name.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// The version that runs.
    async fn version(&self) -> i32 {
        self.0.version
    }

    /// How that version is set up: for an HTTP agent its URL, method and headers, with secrets by name only,
    /// and for those with the role AUTHOR or APPROVER.
    async fn config(&self, ctx: &Context<'_>) -> Result<Json> {
        let spec = ctx.loaders()?.load(SpecOf(AgentId(self.0.agent), self.0.version)).await?.ok_or(Fault::Internal)?;
        shown_config(ctx, &spec.config)
    }

    /// The SHA-256 of the version's specification, as it is part of the proposal's digest.
    async fn specification_digest(&self) -> &str {
        &self.0.specification
    }

    /// The newest version in the library, if that is a newer one: `updateCheckpointAgent` proposes it instead.
    async fn newer_version(&self, ctx: &Context<'_>) -> Result<Option<i32>> {
        let agent = ctx.loaders()?.load(AgentId(self.0.agent)).await?;
        Ok(agent.map(|agent| agent.version).filter(|newest| *newest > self.0.version))
    }
}

/// Which checkpoint is to be about the newest version of its agent.
#[derive(InputObject)]
pub struct UpdateCheckpointAgentInput {
    /// The checkpoint, of the kind STEP, which must wait.
    checkpoint_id: ID,
    /// The digest of what the caller saw: the checkpoint's `digest` at that time.
    digest: String,
}

decision_payload! {
    /// The checkpoint about the newest version, or what was wrong.
    UpdateCheckpointAgentPayload
}

#[derive(Default)]
pub struct AgentUpdateMutation;

#[Object]
impl AgentUpdateMutation {
    /// Proposes the newest version of a checkpoint's agent: a new revision, on which whoever has approved must look
    /// again. Needs the role APPROVER.
    async fn update_checkpoint_agent(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: UpdateCheckpointAgentInput,
    ) -> Result<UpdateCheckpointAgentPayload> {
        let scope = ctx.require(Role::Approver)?;
        let id = match parse_checkpoint(&input.checkpoint_id) {
            Ok(id) => id,
            Err(errors) => return Ok(Decided::refused(errors).into()),
        };
        let digest = input.digest.clone();
        let updated = ctx.engine().update_checkpoint_agent(scope, id, digest, &ctx.caller().origin).await;
        Ok(Decided::of(ctx, id, &input.digest, of_command(updated)?).await?.into())
    }
}
