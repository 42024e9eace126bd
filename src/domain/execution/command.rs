//! What can be done to an execution, and what happens then.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    data::Data,
    event::{Event, Released, Work},
    failure::{Failure, FailureCode},
    state::{State, StepState},
    status::{CompletionReason, StepStatus},
    table::{Verb, permit},
    usage::Usage,
};
use crate::domain::{
    refusal::{Code, Refusal},
    workflow::{Definition, OnError},
};

/// Something that is done to an execution.
#[derive(Debug, Clone)]
pub enum Command {
    Start,
    /// Look at what is due: retries start with [`super::advance()`], what took too long fails here.
    Wake,
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
}

impl Command {
    fn verb(&self) -> Verb {
        match self {
            Command::Start => Verb::Start,
            Command::Wake => Verb::Wake,
            Command::Pause => Verb::Pause,
            Command::Resume => Verb::Resume,
            Command::Cancel { .. } => Verb::Cancel,
            Command::TakeStep { .. } => Verb::TakeWork,
            Command::ReleaseStep { .. } | Command::CompleteStep { .. } | Command::FailStep { .. } => Verb::GiveWork,
            Command::TimeOut => Verb::TimeOut,
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
    permit(state.status, command.verb())?;
    Ok(match command {
        Command::Start => vec![Event::Started {}],
        Command::Pause => vec![Event::Paused {}],
        Command::Resume => vec![Event::Resumed {}],
        Command::Cancel { reason } => vec![Event::Cancelled { reason }],
        Command::TimeOut => time_out(state, definition, now).into_iter().collect(),
        Command::Wake => wake(state, definition, now),
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
    })
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
    let attempt = state.steps.get(step).map_or(0, |found| found.attempt);
    let retry = definition.steps.get(step).map(|step| step.retry).unwrap_or_default();
    if failure.retryable && attempt < retry.attempts {
        let delay = TimeDelta::from_std(retry.delay_after(attempt, chance)).unwrap_or_default();
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
fn wake(state: &State, definition: &Definition, now: DateTime<Utc>) -> Vec<Event> {
    if let Some(end) = time_out(state, definition, now) {
        return vec![end];
    }
    let mut events = Vec::new();
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
