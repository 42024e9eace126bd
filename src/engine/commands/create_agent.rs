//! A new agent in the library.

use serde_json::json;

use super::{
    agent_fields::AgentFields,
    idempotent::{Creation, lost_to_twin},
};
use crate::{
    domain::{
        access::Scope,
        agent::Kind,
        audit::Action,
        id::AgentId,
        name,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result, error::Problems},
    store::agents::Agent,
};

const LONGEST_NAME: usize = 100;

#[derive(Debug, Clone)]
pub struct CreateAgent {
    pub name: String,
    pub kind: Kind,
    pub fields: AgentFields,
    pub idempotency_key: Option<String>,
}

impl Engine {
    pub async fn create_agent(&self, scope: Scope, command: CreateAgent, origin: &Origin) -> Result<Agent> {
        let result = self.create_agent_once(scope, &command, origin).await;
        if lost_to_twin(&result) { self.create_agent_once(scope, &command, origin).await } else { result }
    }

    async fn create_agent_once(&self, scope: Scope, command: &CreateAgent, origin: &Origin) -> Result<Agent> {
        let mut problems = Problems::default();
        let name = problems.take(name::check_distinct("name", &command.name, LONGEST_NAME)).unwrap_or_default();
        let spec = command.fields.make(command.kind, problems)?;
        self.permit_new_agent(scope, &name, &spec).await?;
        let least = command.kind.default_risk();
        if self.settings().review_changes && spec.risk_level < least {
            let message = format!(
                "`riskLevel` is {}, less than {least}, which is reviewed on this server: create the agent without it, \
                 then change it",
                spec.risk_level
            );
            return Err(Refusal::at("riskLevel", Code::NotAllowed, message).into());
        }
        self.permit_secrets(scope, &name, &spec).await?;
        let content = json!([name, spec.to_text()]).to_string();
        let creation = Creation::new(scope, "createAgent", command.idempotency_key.as_deref(), content)?;
        let mut tx = self.begin(origin).await?;
        let id = AgentId::new(tx.now());
        if let Some(made) = creation.claim(&tx, id).await? {
            drop(tx);
            let id: AgentId = made.parse().map_err(|error| Error::Internal(format!("{error}")))?;
            let gone = || Refusal::new(Code::NotFound, "the agent that this key made is gone");
            return Ok(self.store().agent(scope, id).await?.ok_or_else(gone)?);
        }
        let agent = Agent {
            id,
            workspace: scope.workspace(),
            name,
            kind: command.kind,
            version: 1,
            created_at: tx.now(),
            updated_at: tx.now(),
            archived_at: None,
        };
        match tx.insert_agent(&agent).await {
            Err(error) if error.is_duplicate_of("agent") => return Err(taken(&agent.name)),
            inserted => inserted?,
        }
        tx.insert_agent_version(&agent, &spec, scope.actor()).await?;
        let details = json!({"name": agent.name, "kind": agent.kind.as_str()});
        tx.audit(scope, Action::AgentCreated, Some(agent.id.into()), details);
        tx.commit().await?;
        self.forget_agent(&agent);
        Ok(agent)
    }
}

fn taken(name: &str) -> Error {
    let message = format!("there is an agent named `{name}` already, perhaps an archived one: choose another name");
    Refusal::at("name", Code::AlreadyExists, message).into()
}
