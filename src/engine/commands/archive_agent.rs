//! Taking an agent out of use, and back. Nothing of it is lost.

use serde_json::json;

use super::update_agent::hold_agent;
use crate::{
    domain::{access::Scope, audit::Action, id::AgentId},
    engine::{Engine, Origin, Result},
    store::agents::Agent,
};

impl Engine {
    pub async fn archive_agent(&self, scope: Scope, id: AgentId, origin: &Origin) -> Result<Agent> {
        self.set_agent_archived(scope, id, true, origin).await
    }

    pub async fn unarchive_agent(&self, scope: Scope, id: AgentId, origin: &Origin) -> Result<Agent> {
        self.set_agent_archived(scope, id, false, origin).await
    }

    async fn set_agent_archived(&self, scope: Scope, id: AgentId, archived: bool, origin: &Origin) -> Result<Agent> {
        let mut tx = self.begin(origin).await?;
        let (before, spec) = hold_agent(&tx, scope, id).await?;
        self.permit_agent(scope, id, &[&spec]).await?;
        if before.archived_at.is_some() == archived {
            return Ok(before);
        }
        let agent = Agent { archived_at: archived.then(|| tx.now()), updated_at: tx.now(), ..before };
        tx.update_agent(&agent).await?;
        let action = if archived { Action::AgentArchived } else { Action::AgentUnarchived };
        tx.audit(scope, action, Some(id.into()), json!({"name": agent.name}));
        tx.commit().await?;
        self.forget_agent(&agent);
        Ok(agent)
    }
}
