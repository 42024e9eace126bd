//! Changing an agent, which makes its next version.

use serde_json::json;

use super::agent_fields::AgentFields;
use crate::{
    domain::{
        access::Scope,
        agent::Spec,
        audit::{Action, digest_of},
        id::AgentId,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::{Tx, agents::Agent},
};

#[derive(Debug)]
pub struct UpdateAgent {
    pub agent: AgentId,
    /// The version that the change was made from: whoever comes second must look again.
    pub base_version: i32,
    pub fields: AgentFields,
}

impl Engine {
    pub async fn update_agent(&self, scope: Scope, command: UpdateAgent, origin: &Origin) -> Result<Agent> {
        let mut tx = self.begin(origin).await?;
        let (before, spec_before) = hold_agent(&tx, scope, command.agent).await?;
        if before.archived_at.is_some() {
            let message = format!("the agent `{}` is archived: bring it back with unarchiveAgent first", before.name);
            return Err(Refusal::at("agentId", Code::Conflict, message).into());
        }
        if before.version != command.base_version {
            return Err(stale(command.base_version, before.version).into());
        }
        let spec = command.fields.change(&spec_before)?;
        // Texts are compared because they are what is kept: another order of keys is another specification.
        if spec.to_text() == spec_before.to_text() {
            return Ok(before);
        }
        let agent = Agent { version: before.version.saturating_add(1), updated_at: tx.now(), ..before };
        tx.update_agent(&agent).await?;
        tx.insert_agent_version(&agent, &spec, scope.actor()).await?;
        let details = json!({"name": agent.name, "version": agent.version});
        let shown = |version: i32, spec: &Spec| json!({"version": version, "digest": digest_of(&spec.to_text())});
        let entry = tx.audit(scope, Action::AgentUpdated, Some(agent.id.into()), details);
        entry.changing(shown(command.base_version, &spec_before), shown(agent.version, &spec));
        tx.commit().await?;
        self.forget_agent(&agent);
        Ok(agent)
    }
}

/// The agent that a command names, as it is now.
pub(super) async fn hold_agent(tx: &Tx, scope: Scope, id: AgentId) -> Result<(Agent, Spec)> {
    let unknown = || Refusal::at("agentId", Code::NotFound, format!("there is no agent `{id}` in this workspace"));
    Ok(tx.hold_agent(scope, id).await?.ok_or_else(unknown)?)
}

fn stale(base: i32, current: i32) -> Refusal {
    let message = format!(
        "`baseVersion` is {base}, but the agent is at version {current}: look at that one and make the change again"
    );
    Refusal::at("baseVersion", Code::Conflict, message)
}
