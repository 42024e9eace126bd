//! Changing an agent, which makes its next version.

use serde_json::json;

use super::{agent_fields::AgentFields, review_change::Reviewed};
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
    pub async fn update_agent(&self, scope: Scope, command: UpdateAgent, origin: &Origin) -> Result<Reviewed<Agent>> {
        let tx = self.begin(origin).await?;
        let (before, spec_before) = hold_agent(&tx, scope, command.agent).await?;
        check_updatable(&before, command.base_version)?;
        let spec = command.fields.change(&spec_before)?;
        self.permit_agent(scope, before.id, &[&spec_before, &spec]).await?;
        if spec.config != spec_before.config {
            self.permit_secrets(scope, &before.name, &spec).await?;
        }
        if self.settings().review_changes && spec.risk_level != spec_before.risk_level {
            drop(tx);
            let row = self.review_agent(scope, &before, &spec_before, &spec).await?;
            return Ok(Reviewed::Waits(Box::new(row)));
        }
        Ok(Reviewed::Done(self.save_agent(tx, scope, before, &spec_before, &spec).await?))
    }

    /// Makes the next version of an agent, unless nothing differs.
    pub(super) async fn save_agent(
        &self,
        mut tx: Tx,
        scope: Scope,
        before: Agent,
        spec_before: &Spec,
        spec: &Spec,
    ) -> Result<Agent> {
        let base_version = before.version;
        // Texts are compared because they are what is kept: another order of keys is another specification.
        if spec.to_text() == spec_before.to_text() {
            return Ok(before);
        }
        let agent = Agent { version: before.version.saturating_add(1), updated_at: tx.now(), ..before };
        tx.update_agent(&agent).await?;
        tx.insert_agent_version(&agent, spec, scope.actor()).await?;
        let details = json!({"name": agent.name, "version": agent.version});
        let shown = |version: i32, spec: &Spec| json!({"version": version, "digest": digest_of(&spec.to_text())});
        let entry = tx.audit(scope, Action::AgentUpdated, Some(agent.id.into()), details);
        entry.changing(shown(base_version, spec_before), shown(agent.version, spec));
        tx.commit().await?;
        self.forget_agent(&agent);
        Ok(agent)
    }
}

/// Whether an agent can be changed, and the change was made from its newest version.
pub(super) fn check_updatable(agent: &Agent, base_version: i32) -> Result<()> {
    if agent.archived_at.is_some() {
        let message = format!("the agent `{}` is archived: bring it back with unarchiveAgent first", agent.name);
        return Err(Refusal::at("agentId", Code::Conflict, message).into());
    }
    if agent.version != base_version {
        return Err(stale(base_version, agent.version).into());
    }
    Ok(())
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
