//! Whether people must be asked before a step runs, and what they are shown.

use serde_json::Value;

use super::{
    advance::{Agents, Available},
    event::Event,
    state::State,
    status::StepStatus,
};
use crate::domain::{
    access::Actor,
    agent,
    checkpoint::{self, AutoApproved, Contents, Kind, Proposal, Requested, Runs, items},
    json::Json,
    policy::{Asker, Outcome},
    workflow::{Computed, Gate, OnReject, Plan, Step, Values},
};

/// How much of an input a description tells.
const FIELDS_TOLD: usize = 5;
const LONGEST_VALUE: usize = 60;

/// What a policy is asked about.
pub struct Judged<'a> {
    pub gate: Gate,
    pub asked_by: Asker,
    pub proposal: &'a Proposal,
    pub contents: &'a Contents,
    /// The execution's input.
    pub input: &'a Json,
    /// The context as the step sees it.
    pub context: &'a Json,
}

/// The event by which a step's checkpoint begins, or nothing if it may run. An error says why nobody can be asked.
pub fn gate(
    state: &State,
    plan: &Plan,
    values: &Values,
    agents: &mut dyn Agents,
    step: usize,
    computed: &Computed,
) -> Result<Option<Event>, String> {
    let Some(described) = plan.definition().steps.get(step).filter(|step| step.gate != Gate::Never) else {
        return Ok(None);
    };
    // Without its agent the step fails before anybody need be asked.
    let Some(available) = agents.find(&described.agent) else { return Ok(None) };
    let template = &described.proposal;
    let operation_type = template.operation_type.clone().unwrap_or_else(|| available.operation_type.clone());
    // A step can say that it is riskier than its agent, and never that it is less.
    let said = template.risk_level.map_or(available.risk, |level| level.max(available.risk));
    // What the agent's author says of it still holds; a kind's default says nothing.
    let own = Some(&available.operation_type)
        .filter(|own| **own != operation_type && **own != available.kind.default_operation())
        .cloned();
    let risk_level = own.iter().chain([&operation_type]).map(|name| agents.risk_of(name, said)).max().unwrap_or(said);
    if !own.iter().chain([&operation_type]).any(|name| agents.concerns(described.gate, name, risk_level)) {
        return Ok(None);
    }
    let input = plan.input(step, computed, values).map_err(|error| error.to_string())?;
    let said = plan.describe(step, &input, values).map_err(|error| error.to_string())?;
    let (list, items_path) = said.items.unzip();
    let list = list.map(|list| items::read(&list).map_err(|error| format!("`itemsFrom`: {error}"))).transpose()?;
    let item_count =
        list.as_ref().filter(|list| !list.is_empty()).map(|list| u32::try_from(list.len()).unwrap_or(u32::MAX));
    let contents = Contents {
        parameters: input,
        supporting_data: said.supporting_data,
        items: list.filter(|list| !list.is_empty()).map(|list| items::to_json(&list)),
    };
    let (confidence, reasoning) = prepared_by(state, plan, step);
    let mut proposal = Proposal {
        description: said.description.unwrap_or_else(|| describe(described, &operation_type, &contents.parameters)),
        operation_type,
        parameters: agents.keep(contents.parameters.clone()),
        risk_level,
        reasoning: said.reasoning.or(reasoning),
        confidence: said.confidence.or(confidence),
        estimated_cost: said.estimated_cost,
        supporting_data: None,
        alternatives: said.alternatives,
        items: None,
        item_count: None,
        questions: Vec::new(),
        answered: Vec::new(),
        runs: Some(Runs {
            agent: available.agent,
            name: described.agent.clone(),
            version: available.version,
            specification: available.specification.clone(),
            operation_type: own,
        }),
        changes: None,
    };
    if proposal.alternatives.is_empty() {
        proposal.alternatives.push(if_denied(described));
    }
    let context = plan.context_of(step, values);
    let judged = Judged {
        gate: described.gate,
        asked_by: if available.kind == agent::Kind::Transform { Asker::Computation } else { Asker::Step },
        proposal: &proposal,
        contents: &contents,
        input: &values.input,
        context: &context,
    };
    let outcome = agents.judge(&judged);
    if outcome == Outcome::Proceed {
        return Ok(None);
    }
    proposal.supporting_data = contents.supporting_data.clone().map(|data| agents.keep(data));
    proposal.item_count = item_count;
    proposal.items = contents.items.clone().map(|items| agents.keep(items));
    let items_path = items_path.flatten().filter(|_| proposal.items.is_some());
    let opening = Opening { kind: Kind::Step, step: Some(step), key: None, by: Actor::System, items_path };
    Ok(open(opening, &available, proposal, &contents, outcome, agents).map(Event::Checkpoint))
}

/// Where a checkpoint is and who asked for it.
struct Opening {
    kind: Kind,
    step: Option<usize>,
    key: Option<String>,
    by: Actor,
    items_path: Option<Vec<String>>,
}

fn open(
    opening: Opening,
    available: &Available,
    proposal: Proposal,
    contents: &Contents,
    outcome: Outcome,
    agents: &mut dyn Agents,
) -> Option<checkpoint::Event> {
    let (checkpoint, digest, policy) = (agents.new_checkpoint(), proposal.digest(contents), agents.policy_version());
    let Opening { kind, step, key, by, items_path } = opening;
    let agent = Some(available.agent);
    match outcome {
        Outcome::Proceed => None,
        Outcome::AutoApproved(approval) => Some(checkpoint::Event::AutoApproved(Box::new(AutoApproved {
            checkpoint,
            kind,
            step,
            key,
            by,
            agent,
            proposal,
            digest,
            rule: approval.rule,
            reasons: approval.reasons,
            instead_of: approval.instead_of,
            notice: Some(approval.notice),
            fingerprint: approval.fingerprint,
            policy,
        }))),
        Outcome::Ask(requirement) => Some(checkpoint::Event::Requested(Box::new(Requested {
            checkpoint,
            kind,
            step,
            key,
            by,
            agent,
            proposal,
            digest,
            items_path,
            requirement: *requirement,
            policy,
        }))),
    }
}

/// How sure whoever prepared a step is, and why: what the last of the steps that it needs has said.
fn prepared_by(state: &State, plan: &Plan, step: usize) -> (Option<f64>, Option<String>) {
    let needs = plan.graph().needs(step);
    let order = plan.graph().order().iter().rev().filter(|position| needs.contains(position));
    let done = order.filter_map(|position| state.steps.get(*position));
    let mut done = done.filter(|step| step.status == StepStatus::Completed);
    let said = done.find(|step| step.confidence.is_some() || step.reasoning.is_some());
    said.map_or((None, None), |step| (step.confidence, step.reasoning.clone()))
}

/// What a step is about to do, in plain words.
fn describe(step: &Step, operation_type: &str, input: &Json) -> String {
    let fields = input.fields().unwrap_or_default();
    let told = fields.iter().filter(|(_, value)| !value.get().starts_with(['{', '['])).take(FIELDS_TOLD);
    let told: Vec<String> = told
        .map(|(name, value)| {
            let text = match Json::from(*value).to_value() {
                Value::String(text) => text,
                other => other.to_string(),
            };
            let shown: String = text.chars().take(LONGEST_VALUE).collect();
            let more = if shown.len() < text.len() { "…" } else { "" };
            format!("{name}: {shown}{more}")
        })
        .collect();
    let with = if told.is_empty() { String::new() } else { format!(" with {}", told.join(", ")) };
    format!("Run {} ({operation_type}){with}", step.agent)
}

fn if_denied(step: &Step) -> String {
    match step.on_reject {
        OnReject::Cancel => "The execution ends.".to_owned(),
        OnReject::Skip => format!("`{}` is skipped, and what needs only it.", step.key),
        OnReject::Revise => {
            let before = step.needs.first().map_or("the step before it", String::as_str);
            format!("`{before}` runs again and learns why.")
        }
    }
}
