//! The same figures once more, by hand from the raw lines of the journal: nothing here is used by the server.

use std::collections::{BTreeMap, HashMap};

use countersign::{
    domain::id::{AgentId, UserId, WorkflowId},
    store::journal,
};
use entity::journal::{Column, Entity};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};
use serde_json::Value;
use uuid::Uuid;

use crate::support::TestApp;

/// One thing that happened, in the order of the journal of its execution.
#[derive(Debug, Clone, Default)]
pub struct Happened {
    pub at: i64,
    /// What, as in `checkpoint APPROVED` or `attempt COMPLETED`.
    pub what: String,
    pub workflow: String,
    pub agent: Option<String>,
    pub rule: Option<String>,
    /// Who had a part in it.
    pub people: Vec<String>,
    pub took: Option<i64>,
    pub usage: [u64; 3],
    /// The agents of an execution.
    pub agents: Vec<String>,
}

#[derive(Default)]
struct Step {
    agent: Option<String>,
    started: Option<i64>,
    stood_still: i64,
    asking: Vec<String>,
    asking_since: i64,
}

struct Checkpoint {
    at: i64,
    rule: Option<String>,
    agent: Option<String>,
    kind: String,
    step: Option<usize>,
    /// When there was each revision, why, and by whom.
    revisions: Vec<(i64, String, Value)>,
    decisions: Vec<(String, String)>,
}

struct Line {
    execution: Uuid,
    at: i64,
    kind: String,
    data: Value,
}

pub async fn happened(app: &TestApp) -> Vec<Happened> {
    let connection = app.database.connect().await;
    let query = Entity::find().filter(Column::Seq.is_not_null());
    let query = query.order_by_asc(Column::ExecutionId).order_by_asc(Column::Seq);
    let lines = query.all(&connection).await.expect("the journal").into_iter().flat_map(|row| {
        let line = |(kind, data): (String, String)| {
            let data = serde_json::from_str(&data).expect("JSON");
            Line { execution: row.execution_id, at: row.at, kind, data }
        };
        journal::lines(&row).expect("texts").into_iter().map(line).collect::<Vec<_>>()
    });
    let mut executions: BTreeMap<Uuid, Vec<Line>> = BTreeMap::new();
    for line in lines {
        executions.entry(line.execution).or_default().push(line);
    }
    executions.into_values().flat_map(|lines| one(&lines)).collect()
}

fn text(value: &Value, name: &str) -> Option<String> {
    value[name].as_str().map(ToOwned::to_owned)
}

fn agent(value: &Value) -> Option<String> {
    value["agent"].as_str().map(|id| AgentId(id.parse().expect("an id")).to_string())
}

/// What happened to one execution.
fn one(lines: &[Line]) -> Vec<Happened> {
    let begin = &lines[0];
    if begin.data["mode"] == "TEST" {
        return Vec::new();
    }
    let workflow = WorkflowId(begin.data["workflow"].as_str().expect("an id").parse().expect("an id")).to_string();
    let mut steps: HashMap<usize, Step> = HashMap::new();
    let mut checkpoints: HashMap<String, Checkpoint> = HashMap::new();
    let mut paused: Option<i64> = None;
    let mut happened = Vec::new();
    for Line { at, kind, data, .. } in lines {
        let at = *at;
        let mut tell = |event: Happened| {
            // Clocks may go back.
            let took = event.took.map(|took| took.max(0));
            happened.push(Happened { at, workflow: workflow.clone(), took, ..event });
        };
        let number = data["step"].as_u64().map(|step| usize::try_from(step).expect("a step"));
        match kind.as_str() {
            "step.scheduled" | "step.started" => {
                let step = steps.entry(number.expect("a step")).or_default();
                step.agent = agent(data);
                if kind == "step.started" {
                    (step.started, step.stood_still) = (Some(at), 0);
                }
            }
            "step.released" => steps.get_mut(&number.expect("a step")).expect("begun").started = None,
            "step.reopened" => drop(steps.remove(&number.expect("a step"))),
            "step.completed" | "step.retried" | "step.failed" => {
                let step = steps.entry(number.expect("a step")).or_default();
                let still =
                    if step.asking.is_empty() { paused.map_or(0, |since| at - since) } else { at - step.asking_since };
                let took = step.started.take().map(|started| (at - started - step.stood_still - still).max(0));
                step.asking.clear();
                let amount = |name: &str| data["usage"][name].as_u64().unwrap_or(0);
                let usage = [amount("llm_calls"), amount("tokens"), amount("cost_micros")];
                let word = &kind["step.".len()..];
                tell(Happened {
                    what: format!("attempt {word}"),
                    agent: step.agent.clone(),
                    took,
                    usage,
                    ..Happened::default()
                });
                if let Some(code) = data["failure"]["code"].as_str() {
                    tell(Happened { what: format!("error {code}"), agent: step.agent.clone(), ..Happened::default() });
                }
            }
            "execution.paused" => paused = Some(at),
            "execution.resumed" => {
                if let Some(since) = paused.take() {
                    for step in steps.values_mut().filter(|step| step.started.is_some() && step.asking.is_empty()) {
                        step.stood_still += at - since;
                    }
                }
            }
            "execution.completed" | "execution.failed" | "execution.cancelled" => {
                for step in steps.values().filter(|step| step.started.is_some()) {
                    let what = "attempt cancelled".to_owned();
                    tell(Happened { what, agent: step.agent.clone(), ..Happened::default() });
                }
                let reason = text(data, "reason").filter(|_| kind != "execution.cancelled");
                let reason = reason.or_else(|| text(data, "completion")).unwrap_or_else(|| "CANCELLED".to_owned());
                if begin.data["steps"] != 0 {
                    let mut agents: Vec<String> = steps.values().filter_map(|step| step.agent.clone()).collect();
                    agents.sort();
                    agents.dedup();
                    let took = Some(at - begin.at);
                    tell(Happened { what: format!("execution {reason}"), agents, took, ..Happened::default() });
                }
            }
            "checkpoint.requested" | "checkpoint.auto_approved" => {
                let rule = text(data, "rule").or_else(|| text(&data["requirement"], "rule"));
                let asked = kind == "checkpoint.requested";
                let what = if asked { "checkpoint ASKED" } else { "checkpoint AUTO_APPROVED" };
                tell(Happened { what: what.to_owned(), agent: agent(data), rule: rule.clone(), ..Happened::default() });
                let id = text(data, "checkpoint").expect("an id");
                let kind = text(data, "kind").expect("a kind");
                if let Some(step) = number.filter(|_| asked && kind != "STEP").and_then(|number| steps.get_mut(&number))
                {
                    if step.asking.is_empty() {
                        step.asking_since = at;
                    }
                    step.asking.push(id.clone());
                }
                let revisions = vec![(at, String::new(), data["by"].clone())];
                let (agent, decisions) = (agent(data), Vec::new());
                checkpoints.insert(id, Checkpoint { at, rule, agent, kind, step: number, revisions, decisions });
            }
            "checkpoint.revised" => {
                let found = checkpoints.get_mut(&text(data, "checkpoint").expect("an id")).expect("asked");
                found.revisions.push((at, text(data, "cause").expect("a cause"), data["by"].clone()));
            }
            "checkpoint.lapsed" => {
                let found = checkpoints.get_mut(&text(data, "checkpoint").expect("an id")).expect("asked");
                found.decisions.retain(|(id, _)| Some(id.as_str()) != data["decision"].as_str());
            }
            "checkpoint.decided" => {
                let found = checkpoints.get_mut(&text(data, "checkpoint").expect("an id")).expect("asked");
                let person = data["person"].as_str().expect("a person");
                let person = UserId(person.parse().expect("an id")).to_string();
                let revision = usize::try_from(data["revision"].as_u64().expect("a number")).expect("small") - 1;
                let (since, cause, by) = found.revisions[revision].clone();
                // What somebody approves instead is written together with the decision.
                let own = (cause == "MODIFIED" || cause == "SELECTED") && since == at && by == data["by"];
                let since = if own { found.revisions[revision - 1].0 } else { since };
                let word = match data["verdict"].as_str().expect("a verdict") {
                    "APPROVE" if own => "MODIFIED",
                    "APPROVE" => "APPROVED",
                    "REJECT" => "REJECTED",
                    _ => "ANSWERED",
                };
                found.decisions.push((text(data, "decision").expect("an id"), person.clone()));
                let (agent, rule, people) = (found.agent.clone(), found.rule.clone(), vec![person]);
                let what = format!("decision {word}");
                tell(Happened { what, agent, rule, people, took: Some(at - since), ..Happened::default() });
            }
            "checkpoint.timed_out" if data["action"] == "escalate" => {}
            "checkpoint.approved" | "checkpoint.rejected" | "checkpoint.timed_out" | "checkpoint.cancelled" => {
                let id = text(data, "checkpoint").expect("an id");
                let found = &checkpoints[&id];
                if let Some(step) = found.step.and_then(|number| steps.get_mut(&number))
                    && step.asking.contains(&id)
                {
                    step.asking.retain(|other| *other != id);
                    if step.asking.is_empty() {
                        step.stood_still += at - step.asking_since;
                    }
                }
                let modified = found.revisions.iter().any(|(_, cause, _)| cause == "MODIFIED" || cause == "SELECTED");
                let word = match &kind["checkpoint.".len()..] {
                    "approved" if found.kind == "CLARIFICATION" => "ANSWERED",
                    "approved" if modified => "MODIFIED",
                    "approved" => "APPROVED",
                    "rejected" => "REJECTED",
                    "timed_out" => "TIMED_OUT",
                    _ => "CANCELLED",
                };
                let by_people = !["TIMED_OUT", "CANCELLED"].contains(&word);
                let mut people: Vec<String> =
                    found.decisions.iter().filter(|_| by_people).map(|(_, person)| person.clone()).collect();
                people.sort();
                people.dedup();
                let (agent, rule, took) = (found.agent.clone(), found.rule.clone(), Some(at - found.at));
                tell(Happened { what: format!("checkpoint {word}"), agent, rule, people, took, ..Happened::default() });
            }
            _ => {}
        }
    }
    happened
}
