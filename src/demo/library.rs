//! The demo's agents, workflows and policy.

use serde::Deserialize;
use serde_json::Value;

use super::{cast::Cast, samples::read};
use crate::{
    domain::document::Problem,
    engine::{
        Engine, Error, Origin, Result,
        commands::{AgentFields, CreateAgent, CreateWorkflow, Document, SavePolicy, SavedPolicy, SavedWorkflow},
    },
};

const AGENTS: &str = include_str!("content/agents.yaml");
const POLICY: &str = include_str!("content/policy.yaml");

pub const TICKETS: &str = "IT ticket triage";
pub const REFUNDS: &str = "Refund request";
pub const CLEAN_UP: &str = "Group clean-up";
pub const PRICES: &str = "Supplier price update";
pub const REPORT: &str = "Monthly support report";

const WORKFLOWS: [(&str, &str); 5] = [
    (TICKETS, include_str!("content/workflows/tickets.yaml")),
    (REFUNDS, include_str!("content/workflows/refunds.yaml")),
    (CLEAN_UP, include_str!("content/workflows/clean_up.yaml")),
    (PRICES, include_str!("content/workflows/prices.yaml")),
    (REPORT, include_str!("content/workflows/report.yaml")),
];

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Agent {
    name: String,
    kind: String,
    description: String,
    config: Value,
    operation_type: String,
    risk_level: Option<String>,
    input_schema: Option<Value>,
    output_schema: Option<Value>,
}

/// Makes what is missing.
pub async fn fill(engine: &Engine, cast: &Cast) -> Result<()> {
    let origin = Origin::default();
    for agent in read::<Vec<Agent>>(AGENTS) {
        if engine.store().agent_by_name(cast.priya, &agent.name).await?.is_none() {
            engine.create_agent(cast.priya, agent.command()?, &origin).await?;
        }
    }
    for (name, source) in WORKFLOWS {
        if engine.store().workflow_by_name(cast.priya, name).await?.is_some() {
            continue;
        }
        let document = Document::Source(source.to_owned());
        let command = CreateWorkflow { document, draft: false, idempotency_key: None };
        if let SavedWorkflow::Invalid(problems) = engine.create_workflow(cast.priya, command, &origin).await? {
            return Err(broken(name, &problems));
        }
    }
    // Whoever has rules, of their own or from the operator's file, keeps them.
    if engine.settings().policy.is_none() && engine.store().policy_in_force(cast.robin).await?.version.is_none() {
        let command = SavePolicy { document: POLICY.to_owned(), base_version: None };
        if let SavedPolicy::Invalid(problems) = engine.save_policy(cast.robin, command, &origin).await? {
            return Err(broken("policy", &problems));
        }
    }
    Ok(())
}

impl Agent {
    fn command(self) -> Result<CreateAgent> {
        let unknown = |word: &str| Error::Internal(format!("`{word}` of the demo's agents is no word of ours"));
        let risk_level = self.risk_level.as_deref().map(|word| word.parse().map_err(|()| unknown(word))).transpose()?;
        Ok(CreateAgent {
            kind: self.kind.parse().map_err(|()| unknown(&self.kind))?,
            name: self.name,
            fields: AgentFields {
                description: Some(Some(self.description)),
                config: Some(self.config),
                input_schema: self.input_schema.map(Some),
                output_schema: self.output_schema.map(Some),
                operation_type: Some(Some(self.operation_type)),
                risk_level: risk_level.map(Some),
            },
            idempotency_key: None,
        })
    }
}

fn broken(name: &str, problems: &[Problem]) -> Error {
    Error::Internal(format!("the demo's {name} has problems: {problems:?}"))
}
