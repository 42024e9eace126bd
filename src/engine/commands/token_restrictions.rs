//! What a new API token is restricted to, as its maker writes it.

use serde_json::{Value, json};

use crate::{
    domain::{
        access::Scope,
        api_token::Restrictions,
        name,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Result, error::Problems},
};

const MOST_ENTRIES: usize = 100;
const LONGEST_NAME: usize = 100;

/// Names of what a token may do. An absent list does not restrict.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    pub operation_types: Option<Vec<String>>,
    pub workflows: Option<Vec<String>>,
    pub agents: Option<Vec<String>>,
    pub queues: Option<Vec<String>>,
}

impl Limits {
    /// For the audit log.
    pub(super) fn to_details(&self) -> Value {
        let lists = [
            ("operationTypes", &self.operation_types),
            ("workflows", &self.workflows),
            ("agents", &self.agents),
            ("queues", &self.queues),
        ];
        lists.into_iter().filter_map(|(name, list)| Some((name.to_owned(), json!(list.as_ref()?)))).collect()
    }
}

impl Engine {
    /// Finds what the names mean. Whatever is not there is noted as a problem: a list with a wrong name would quietly
    /// allow less than its maker thinks.
    pub(super) async fn read_limits(
        &self,
        scope: Scope,
        limits: &Limits,
        problems: &mut Problems,
    ) -> Result<Restrictions> {
        let operation_types = read("operationTypes", limits.operation_types.as_deref(), problems);
        let queues = read("queues", limits.queues.as_deref(), problems);
        let mut workflows = None;
        for name in read("workflows", limits.workflows.as_deref(), problems).into_iter().flatten() {
            let found = self.store().workflow_by_name(scope, &name).await?;
            match found {
                Some(workflow) => workflows.get_or_insert_with(Vec::new).push(workflow.id),
                None => problems.note(unknown("workflows", "workflow", &name)),
            }
        }
        let mut agents = None;
        for name in read("agents", limits.agents.as_deref(), problems).into_iter().flatten() {
            let found = self.store().agent_by_name(scope, &name).await?;
            match found {
                Some(agent) => agents.get_or_insert_with(Vec::new).push(agent.id),
                None => problems.note(unknown("agents", "agent", &name)),
            }
        }
        Ok(Restrictions { operation_types, workflows, agents, queues })
    }
}

fn read(field: &'static str, names: Option<&[String]>, problems: &mut Problems) -> Option<Vec<String>> {
    let names = names?;
    if names.is_empty() || names.len() > MOST_ENTRIES {
        let message = format!(
            "`{field}` has {} entries: give 1 to {MOST_ENTRIES}, or leave it out, which does not restrict",
            names.len()
        );
        problems.note(Refusal::invalid(field, message));
    }
    let checked = names.iter().take(MOST_ENTRIES).map(|name| name::check(field, name, LONGEST_NAME));
    Some(checked.filter_map(|name| problems.take(name)).collect())
}

fn unknown(field: &'static str, kind: &str, name: &str) -> Refusal {
    Refusal::at(field, Code::NotFound, format!("there is no {kind} named `{name}` in this workspace"))
}
