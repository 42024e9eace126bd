//! Which steps come next.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    command::fail,
    data::Data,
    event::{Event, Work},
    failure::{Failure, FailureCode},
    gate::{Judged, gate},
    state::State,
    status::{CompletionReason, StepStatus},
    usage::Usage,
};
use crate::domain::{
    agent::{Kind, RiskLevel},
    checkpoint::Runs,
    json::Json,
    policy,
    workflow::{self, Gate, NOTHING_NEEDED, Plan, Values, WHEN_IS_FALSE},
};

/// What is known of an agent when its step is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Available {
    pub agent: Uuid,
    pub version: i32,
    pub kind: Kind,
    /// Where workers find its tasks.
    pub queue: Option<String>,
    /// What kind of action it is, for policies.
    pub operation_type: String,
    pub risk: RiskLevel,
    /// The SHA-256 of the version's specification.
    pub specification: String,
}

/// The world around an execution, as far as it matters for what comes next.
pub trait Agents {
    /// The agent with a name, if it is there.
    fn find(&self, name: &str) -> Option<Available>;
    /// An agent at the version that people approved, if it is there.
    fn find_approved(&self, runs: &Runs) -> Option<Available>;
    /// Takes a free place for a step that this server does itself, if there is one.
    fn take_place(&mut self, step: usize, agent: &Available) -> Option<Uuid>;
    /// The id of a new task.
    fn new_task(&mut self) -> Uuid;
    /// Keeps a computed value, inline or stored.
    fn keep(&mut self, value: Json) -> Data;
    /// Whether the policy can have anything to say about such an action.
    fn concerns(&self, gate: Gate, operation_type: &str, risk: RiskLevel) -> bool;
    /// How risky an action counts that is said to be this risky.
    fn risk_of(&self, operation_type: &str, said: RiskLevel) -> RiskLevel;
    /// What the policy says.
    fn judge(&mut self, judged: &Judged<'_>) -> policy::Outcome;
    /// The version of the policy; nothing for the one that is built in.
    fn policy_version(&self) -> Option<i32>;
    /// The id of a new checkpoint.
    fn new_checkpoint(&mut self) -> Uuid;
}

/// Starts, schedules and skips all steps whose time has come, and ends the execution after the last one. Takes each
/// event into `state` and gives them in order.
pub fn advance(
    state: &mut State,
    plan: &Plan,
    values: &Values,
    agents: &mut dyn Agents,
    now: DateTime<Utc>,
) -> Vec<Event> {
    let mut events = Vec::new();
    let mut push = |state: &mut State, event: Event| {
        state.apply(&event, now);
        events.push(event);
    };
    let order = plan.graph().order();
    for step in order.iter().copied() {
        // A step that a rule has let through begins at once.
        loop {
            if !state.is_moving() {
                break;
            }
            let next = next_of_step(state, plan, values, agents, step, now);
            if next.is_empty() {
                break;
            }
            for event in next {
                push(state, event);
            }
        }
    }
    let over = state.steps.iter().all(|step| step.status.is_terminal()) && state.pending().next().is_none();
    if state.is_moving() && over {
        let failed = state.steps.iter().any(|step| step.status == StepStatus::Failed);
        let reason = if failed { CompletionReason::Partial } else { CompletionReason::Success };
        push(state, Event::Completed { reason });
    }
    events
}

/// Whether a step is tried again now. If that is further away than it can be, the clock has been set back since.
fn retries(at: DateTime<Utc>, plan: &Plan, step: usize, now: DateTime<Utc>) -> bool {
    let longest = plan.definition().steps.get(step).and_then(|step| TimeDelta::from_std(step.retry.max_delay).ok());
    at <= now || longest.is_some_and(|longest| at - now > longest)
}

/// What happens to one step now. Steps before it in the graph have been looked at already.
fn next_of_step(
    state: &State,
    plan: &Plan,
    values: &Values,
    agents: &mut dyn Agents,
    step: usize,
    now: DateTime<Utc>,
) -> Vec<Event> {
    let Some(found) = state.steps.get(step) else { return Vec::new() };
    match found.status {
        StepStatus::Retrying if found.retry_at.is_some_and(|at| retries(at, plan, step, now)) => {
            let computed = found.computed.clone().unwrap_or(Data::Inline(Json::object([])));
            begin(state, plan, agents, step, computed, now)
        }
        StepStatus::Pending if found.approved.is_some() => {
            // Its input is what was approved: nothing is computed anew.
            begin(state, plan, agents, step, Data::Inline(Json::object([])), now)
        }
        StepStatus::Pending => due(state, plan, values, agents, step, now),
        StepStatus::Retrying
        | StepStatus::AwaitingApproval
        | StepStatus::Scheduled
        | StepStatus::Running
        | StepStatus::Completed
        | StepStatus::Failed
        | StepStatus::Skipped
        | StepStatus::Cancelled => Vec::new(),
    }
}

fn due(
    state: &State,
    plan: &Plan,
    values: &Values,
    agents: &mut dyn Agents,
    step: usize,
    now: DateTime<Utc>,
) -> Vec<Event> {
    let needs = plan.graph().needs(step);
    let status_of = |position: usize| state.steps.get(position).map_or(StepStatus::Pending, |step| step.status);
    if !needs.iter().all(|need| status_of(*need).is_terminal()) {
        return Vec::new();
    }
    let skip = |reason: String| vec![Event::StepSkipped { step, reason }];
    if !needs.is_empty() && needs.iter().all(|need| status_of(*need) == StepStatus::Skipped) {
        return skip(NOTHING_NEEDED.to_owned());
    }
    let absent = plan
        .refers_to(step)
        .into_iter()
        .find(|other| matches!(status_of(*other), StepStatus::Failed | StepStatus::Skipped));
    let stuck = |error: String| match absent {
        Some(other) => {
            let key = plan.definition().steps.get(other).map_or("?", |step| step.key.as_str());
            skip(workflow::without_output(key, &error))
        }
        None => {
            let failure = Failure::fatal(FailureCode::Expression, error);
            fail(state, plan.definition(), step, failure, Usage::default(), 0.0, now)
        }
    };
    match plan.when(step, values) {
        Ok(true) => {}
        Ok(false) => return skip(WHEN_IS_FALSE.to_owned()),
        Err(error) => return stuck(error.to_string()),
    }
    let computed = match plan.compute(step, values) {
        Ok(computed) => computed,
        Err(error) => return stuck(error.to_string()),
    };
    // What is only copied is fetched when the step runs; that it cannot be there is known now.
    if absent.is_some()
        && let Err(error) = plan.input(step, &computed, values)
    {
        return stuck(error.to_string());
    }
    match gate(state, plan, values, agents, step, &computed) {
        Ok(None) => {}
        Ok(Some(event)) => return vec![event],
        Err(error) => {
            let failure = Failure::fatal(FailureCode::Gate, format!("nobody can be asked about the step: {error}"));
            return fail(state, plan.definition(), step, failure, Usage::default(), 0.0, now);
        }
    }
    let computed = agents.keep(computed.to_json());
    begin(state, plan, agents, step, computed, now)
}

/// Begins an attempt: at once if this server can do it, otherwise as a task that waits.
fn begin(
    state: &State,
    plan: &Plan,
    agents: &mut dyn Agents,
    step: usize,
    computed: Data,
    now: DateTime<Utc>,
) -> Vec<Event> {
    let Some((found, described)) = state.steps.get(step).zip(plan.definition().steps.get(step)) else {
        return Vec::new();
    };
    // What was approved runs, whatever the library has by now.
    let approved = found.approved.as_ref().and_then(|approved| approved.runs.as_ref());
    let available = match approved {
        Some(runs) => agents.find_approved(runs),
        None => agents.find(&described.agent),
    };
    let Some(available) = available else {
        let message = format!("there is no agent named `{}` in the library any more", described.agent);
        let failure = Failure::fatal(FailureCode::Agent, message);
        return fail(state, plan.definition(), step, failure, Usage::default(), 0.0, now);
    };
    let attempt = found.attempt + 1;
    let place = match available.kind {
        Kind::Worker => None,
        Kind::Http | Kind::Transform => agents.take_place(step, &available),
    };
    let (agent, agent_version) = (available.agent, available.version);
    let event = match place {
        Some(server) => Event::StepStarted {
            step,
            attempt,
            agent,
            agent_version,
            computed: Some(computed),
            work: Work::Server(server),
        },
        None => {
            let task = agents.new_task();
            Event::StepScheduled { step, attempt, agent, agent_version, computed, task, queue: available.queue }
        }
    };
    vec![event]
}
