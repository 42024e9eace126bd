//! What can be done to an execution, and what happens then.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    data::Data,
    event::{Event, Released, Wish, Work},
    failure::{Failure, FailureCode},
    state::{State, StepState},
    status::{CompletionReason, Status, StepStatus},
    table::{Verb, permit},
    usage::Usage,
};
use crate::domain::{
    checkpoint::{self, Checkpoint},
    policy::OnTimeout,
    refusal::{Code, Refusal},
    workflow::{Definition, OnError, OnReject},
};

/// Something that is done to an execution.
#[derive(Debug, Clone)]
pub enum Command {
    Start,
    /// Look at what is due: retries start with [`super::advance()`], what took too long fails here.
    Wake {
        /// The checkpoints that silence may approve.
        consent: Vec<Uuid>,
    },
    Pause,
    Resume,
    Cancel {
        reason: Option<String>,
    },
    /// Somebody takes a step that waits.
    TakeStep {
        step: usize,
        task: Uuid,
        work: Work,
    },
    /// Whoever worked on a step is gone.
    ReleaseStep {
        step: usize,
        work: Work,
        reason: Released,
        /// The new task.
        task: Uuid,
        queue: Option<String>,
    },
    CompleteStep {
        step: usize,
        work: Work,
        output: Data,
        usage: Usage,
        confidence: Option<f64>,
        reasoning: Option<String>,
    },
    FailStep {
        step: usize,
        work: Work,
        failure: Failure,
        usage: Usage,
        /// From 0 to 1: how much of the retry's jitter is taken off.
        chance: f64,
    },
    /// Fails the execution if it has run for as long as it may.
    TimeOut,
    /// Somebody outside the workflow, or a worker in the middle of its step, asks people.
    Ask {
        /// The step and whoever works on it; nothing for a request that stands alone.
        held: Option<(usize, Work)>,
        opened: Box<checkpoint::Event>,
    },
    /// Something is done to a checkpoint.
    Checkpoint {
        id: Uuid,
        command: checkpoint::Command,
    },
}

impl Command {
    fn verb(&self) -> Verb {
        match self {
            Command::Start => Verb::Start,
            Command::Wake { .. } => Verb::Wake,
            Command::Pause => Verb::Pause,
            Command::Resume => Verb::Resume,
            Command::Cancel { .. } => Verb::Cancel,
            Command::TakeStep { .. } => Verb::TakeWork,
            Command::ReleaseStep { .. } | Command::CompleteStep { .. } | Command::FailStep { .. } => Verb::GiveWork,
            Command::TimeOut => Verb::TimeOut,
            Command::Ask { .. } | Command::Checkpoint { .. } => Verb::Decide,
        }
    }
}

/// The events that a command causes, or why it is refused.
pub fn decide(
    state: &State,
    definition: &Definition,
    command: Command,
    now: DateTime<Utc>,
) -> Result<Vec<Event>, Refusal> {
    // What became of a checkpoint says more than what became of its execution.
    if let Command::Checkpoint { id, command } = command {
        return decide_checkpoint(state, definition, id, command, now);
    }
    permit(state.status, command.verb())?;
    let events = match command {
        Command::Start => vec![Event::Started {}],
        Command::Pause => vec![Event::Paused {}],
        Command::Resume => vec![Event::Resumed {}],
        Command::Cancel { reason } => vec![Event::Cancelled { reason, completion: None }],
        Command::TimeOut => time_out(state, definition, now).into_iter().collect(),
        Command::Wake { consent } => wake(state, definition, &consent, now),
        Command::TakeStep { step, task, work } => {
            let found = scheduled(state, step, task)?;
            let (agent, agent_version) = found.agent.unwrap_or_default();
            vec![Event::StepStarted { step, attempt: found.attempt, agent, agent_version, computed: None, work }]
        }
        Command::ReleaseStep { step, work, reason, task, queue } => {
            let found = held(state, step, &work)?;
            vec![Event::StepReleased { step, attempt: found.attempt, reason, task, queue }]
        }
        Command::CompleteStep { step, work, output, usage, confidence, reasoning } => {
            let attempt = held(state, step, &work)?.attempt;
            vec![Event::StepCompleted { step, attempt, output, usage, confidence, reasoning }]
        }
        Command::FailStep { step, work, failure, usage, chance } => {
            held(state, step, &work)?;
            fail(state, definition, step, failure, usage, chance, now)
        }
        Command::Ask { held: of, opened } => {
            if let Some((step, work)) = of {
                held(state, step, &work)?;
            }
            vec![Event::Checkpoint(*opened)]
        }
        Command::Checkpoint { .. } => Vec::new(),
    };
    Ok(with_ends_of_checkpoints(state, events))
}

/// What happens to a checkpoint, and what follows from that for its execution.
fn decide_checkpoint(
    state: &State,
    definition: &Definition,
    id: Uuid,
    command: checkpoint::Command,
    now: DateTime<Utc>,
) -> Result<Vec<Event>, Refusal> {
    let Some(found) = state.checkpoint(id) else {
        return Err(Refusal::new(Code::NotFound, "the execution has no such checkpoint"));
    };
    let afterwards = matches!(command, checkpoint::Command::Override { .. });
    let events = checkpoint::decide(found, command)?;
    if !afterwards {
        permit(state.status, Verb::Decide)?;
    }
    let after = consequences(state, definition, &events, now);
    let events = events.into_iter().map(Event::Checkpoint).chain(after).collect();
    Ok(with_ends_of_checkpoints(state, events))
}

/// What follows for the execution from how checkpoints ended.
fn consequences(
    state: &State,
    definition: &Definition,
    events: &[checkpoint::Event],
    now: DateTime<Utc>,
) -> Vec<Event> {
    let mut after = state.clone();
    let mut following = Vec::new();
    for event in events {
        after.apply(&Event::Checkpoint(event.clone()), now);
        let Some(found) = after.checkpoint(event.checkpoint()) else { continue };
        match event {
            checkpoint::Event::Rejected { reason, .. } => {
                following.extend(rejected(definition, found, reason, CompletionReason::Rejected));
            }
            checkpoint::Event::TimedOut { action: OnTimeout::Reject, .. } => {
                following.extend(rejected(definition, found, NOBODY_DECIDED, CompletionReason::Rejected));
            }
            checkpoint::Event::TimedOut { action: OnTimeout::Cancel, .. } => {
                let completion = Some(CompletionReason::ApprovalTimeout);
                following.push(Event::Cancelled { reason: Some(NOBODY_DECIDED.to_owned()), completion });
            }
            _ => {}
        }
    }
    following
}

const NOBODY_DECIDED: &str = "nobody decided in time";

fn rejected(definition: &Definition, found: &Checkpoint, reason: &str, completion: CompletionReason) -> Vec<Event> {
    let end = || vec![Event::Cancelled { reason: Some(reason.to_owned()), completion: Some(completion) }];
    let Some(step) = found.step else { return end() };
    if found.kind != checkpoint::Kind::Step {
        // The worker that asked learns it, and does what it thinks right.
        return Vec::new();
    }
    let described = definition.steps.get(step);
    match described.map_or(OnReject::Cancel, |described| described.on_reject) {
        OnReject::Cancel => end(),
        OnReject::Skip => vec![Event::StepSkipped { step, reason: format!("it was rejected: {reason}") }],
        OnReject::Revise => {
            let needed = described.and_then(|described| described.needs.first());
            let before = needed.and_then(|key| definition.steps.iter().position(|step| step.key == *key));
            let (Some(before), Some(proposal)) = (before, found.proposal()) else { return end() };
            let parameters = proposal.parameters.clone();
            let wish = Wish { reason: reason.to_owned(), parameters, checkpoint: found.id };
            vec![Event::StepReopened { step, wish: None }, Event::StepReopened { step: before, wish: Some(wish) }]
        }
    }
}

/// Adds the ends of checkpoints that nobody needs any more, before what makes them so: their execution ends, or the
/// step whose worker asked.
fn with_ends_of_checkpoints(state: &State, events: Vec<Event>) -> Vec<Event> {
    let mut open: Vec<(Uuid, Option<usize>)> = state.pending().map(|found| (found.id, found.step)).collect();
    if open.is_empty() {
        return events;
    }
    let mut all = Vec::with_capacity(events.len());
    for event in events {
        if let Event::Checkpoint(resolved) = &event {
            let still_open = match resolved {
                checkpoint::Event::Approved { .. }
                | checkpoint::Event::Rejected { .. }
                | checkpoint::Event::Cancelled { .. } => false,
                checkpoint::Event::TimedOut { action, .. } => *action == OnTimeout::Escalate,
                _ => true,
            };
            open.retain(|(id, _)| still_open || *id != resolved.checkpoint());
        }
        let (reason, of_step) = match &event {
            Event::Cancelled { .. } => ("the execution was cancelled", None),
            Event::Failed { .. } => ("the execution failed", None),
            Event::Completed { .. } => ("the execution is completed", None),
            Event::StepCompleted { step, .. } => ("its step is completed", Some(*step)),
            Event::StepFailed { step, .. } => ("its step failed", Some(*step)),
            Event::StepRetried { step, .. } => ("its step is tried again", Some(*step)),
            _ => {
                all.push(event);
                continue;
            }
        };
        let ends = |found: &(Uuid, Option<usize>)| of_step.is_none_or(|step| found.1 == Some(step));
        for (checkpoint, _) in open.extract_if(.., |found| ends(found)) {
            let reason = reason.to_owned();
            all.push(Event::Checkpoint(checkpoint::Event::Cancelled { checkpoint, reason }));
        }
        all.push(event);
    }
    all
}

/// A step that waits to be taken.
fn scheduled(state: &State, step: usize, task: Uuid) -> Result<&StepState, Refusal> {
    let found = state.steps.get(step).filter(|found| found.status == StepStatus::Scheduled);
    found
        .filter(|found| found.task.as_ref().is_some_and(|(waiting, _)| *waiting == task))
        .ok_or_else(|| Refusal::new(Code::Conflict, "somebody else took this task, or it is not wanted any more"))
}

/// A step that is being worked on by whoever says so.
fn held<'a>(state: &'a State, step: usize, work: &Work) -> Result<&'a StepState, Refusal> {
    let lost = || {
        let status = state.steps.get(step).map_or("unknown", |found| found.status.as_str());
        let message =
            format!("the step is {status} and not in your hands: its lease ran out, or it was given to others");
        Refusal::new(Code::Conflict, message)
    };
    let found = state.steps.get(step).filter(|found| found.status == StepStatus::Running);
    found.filter(|found| found.work.as_ref() == Some(work)).ok_or_else(lost)
}

/// What follows from a failed attempt.
pub(super) fn fail(
    state: &State,
    definition: &Definition,
    step: usize,
    failure: Failure,
    usage: Usage,
    chance: f64,
    now: DateTime<Utc>,
) -> Vec<Event> {
    let (attempt, before) = state.steps.get(step).map_or((0, 0), |found| (found.attempt, found.attempts_before));
    let retry = definition.steps.get(step).map(|step| step.retry).unwrap_or_default();
    let tried = attempt.saturating_sub(before);
    if failure.retryable && tried < retry.attempts {
        let delay = TimeDelta::from_std(retry.delay_after(tried, chance)).unwrap_or_default();
        let retry_at = now.checked_add_signed(delay).unwrap_or(now);
        return vec![Event::StepRetried { step, attempt, failure, usage, retry_at }];
    }
    let failed = Event::StepFailed { step, attempt, failure: failure.clone(), usage };
    match definition.on_error {
        OnError::Continue => vec![failed],
        OnError::Stop => {
            let end = Event::Failed { reason: CompletionReason::Failed, step: Some(step), failure };
            vec![failed, end]
        }
    }
}

fn time_out(state: &State, definition: &Definition, now: DateTime<Utc>) -> Option<Event> {
    super::due::execution_deadline(state, definition).filter(|deadline| *deadline <= now)?;
    let seconds = definition.limits.timeout.as_secs();
    let message = format!("the execution ran for longer than its limit of {seconds} s (`limits.timeoutSeconds`)");
    let failure = Failure::fatal(FailureCode::ExecutionTimeout, message);
    Some(Event::Failed { reason: CompletionReason::Failed, step: None, failure })
}

/// Fails what took too long in somebody's own program: what a server does itself, it watches itself.
fn wake(state: &State, definition: &Definition, consent: &[Uuid], now: DateTime<Utc>) -> Vec<Event> {
    if let Some(end) = time_out(state, definition, now) {
        return vec![end];
    }
    let mut events = Vec::new();
    for found in state.pending() {
        let due = checkpoint::wake(found, consent.contains(&found.id), now);
        let after = consequences(state, definition, &due, now);
        let ends = after.iter().any(|event| matches!(event, Event::Cancelled { .. }));
        events.extend(due.into_iter().map(Event::Checkpoint).chain(after));
        if ends {
            return events;
        }
    }
    // Nobody works on anything while it is paused, as far as time is concerned.
    if state.status == Status::Paused {
        return events;
    }
    for (number, (step, described)) in state.steps.iter().zip(&definition.steps).enumerate() {
        let late = super::due::step_deadline(step, described).is_some_and(|deadline| deadline <= now);
        if late && matches!(step.work, Some(Work::Worker { .. })) {
            let failure = late_step(described.timeout);
            events.extend(fail(state, definition, number, failure, Usage::default(), 0.0, now));
            if matches!(events.last(), Some(Event::Failed { .. })) {
                break;
            }
        }
    }
    events
}

/// The failure of a step that took too long.
pub fn late_step(timeout: std::time::Duration) -> Failure {
    let message = format!("the step took longer than its limit of {} s (`timeoutSeconds`)", timeout.as_secs());
    Failure::passing(FailureCode::Timeout, message)
}
