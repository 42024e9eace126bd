//! Workers speak about what they took: still at it, done, or failed.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use rand::RngExt;

use super::lease::Lease;
use crate::{
    domain::{
        access::{Actor, Scope},
        execution::{Command, Event, Failure, FailureCode, LogLevel, StepStatus, Usage},
        id::AgentId,
        json::Json,
        name,
        refusal::{Code, Refusal},
    },
    engine::{
        Engine, Error, Result,
        error::Problems,
        execution::{Change, Loaded, Packed},
    },
    store::{
        executions::Execution,
        journal::{Append, Appended, Prolonged},
    },
};

const LONGEST_LEASE: i32 = 3600;
const LONGEST_LINE: usize = 10_000;
const LONGEST_TEXT: usize = 100_000;
/// Looking again because something happened meanwhile has an end.
const MOST_TRIES: usize = 20;

#[derive(Debug, Clone)]
pub struct HeartbeatTask {
    pub lease: Lease,
    pub lease_seconds: i32,
    pub progress: Option<f64>,
    pub log: Option<(LogLevel, String)>,
}

/// What a worker learns when it says that it is still at it.
#[derive(Debug, Clone)]
pub struct Heartbeat {
    /// Whether nobody wants the result any more.
    pub cancelled: bool,
    pub lease_until: Option<DateTime<Utc>>,
    /// Why what the worker said was not kept. The lease was prolonged all the same.
    pub not_kept: Option<Refusal>,
}

#[derive(Debug, Clone)]
pub struct CompleteTask {
    pub lease: Lease,
    pub output: Json,
    pub usage: Usage,
    pub confidence: Option<f64>,
    pub reasoning: Option<String>,
}

#[derive(Debug, Clone)]
pub struct FailTask {
    pub lease: Lease,
    pub message: String,
    pub stack: Option<String>,
    pub retryable: bool,
    pub usage: Usage,
}

impl Engine {
    /// Prolongs a lease, and keeps how far the work is and what it says.
    pub async fn heartbeat_task(&self, scope: Scope, command: HeartbeatTask) -> Result<Heartbeat> {
        let mut problems = Problems::default();
        if !(1..=LONGEST_LEASE).contains(&command.lease_seconds) {
            let message = format!("`leaseSeconds` is {}: give 1 to {LONGEST_LEASE}", command.lease_seconds);
            problems.note(Refusal::invalid("leaseSeconds", message));
        }
        if let Some(progress) = command.progress.filter(|progress| !(0.0..=1.0).contains(progress)) {
            problems.note(Refusal::invalid("progress", format!("`progress` is {progress}: give 0 to 1")));
        }
        let log = command.log.map(|(level, text)| {
            problems.take(name::check_text("log", &text, LONGEST_LINE)).map(|message| (level, message))
        });
        problems.check()?;
        let lease = command.lease;
        let progress = command.progress.map(|progress| Event::StepProgressed { step: lease.step, progress });
        let log = log.flatten().map(|(level, message)| Event::StepLogged { step: lease.step, level, message });
        let field = if log.is_some() { "log" } else { "progress" };
        let mut events: Vec<Event> = progress.into_iter().chain(log).collect();
        for _ in 0..MOST_TRIES {
            let loaded = self.leased(scope, &lease).await?;
            if loaded.state.status.is_terminal() {
                return Ok(Heartbeat { cancelled: true, lease_until: None, not_kept: None });
            }
            check_holder(&loaded, &lease)?;
            let not_kept = if events.is_empty() { None } else { self.refuse_lines(lease.execution, field).await? };
            if not_kept.is_some() {
                events.clear();
            }
            let now = self.clock().now();
            let until = now + TimeDelta::seconds(command.lease_seconds.into());
            let append = Append {
                lease: Some(Prolonged { task: lease.task, lease: lease.lease, until, progress: command.progress }),
                ..Append::comment(scope, lease.execution, now, events.clone())
            };
            match self.executions().writer.append(append).await? {
                Appended::Done => return Ok(Heartbeat { cancelled: false, lease_until: Some(until), not_kept }),
                // Something happened that this process has not seen yet.
                Appended::Conflict | Appended::Alive | Appended::Made(_) | Appended::KeyReused => {
                    self.executions().loaded.forget(lease.execution);
                }
            }
        }
        Err(Error::Internal(format!("{} has a task that is held in the journal and nowhere else", lease.execution)))
    }

    /// Takes a worker's output. One that breaks its schema fails the step, and the worker is told why.
    pub async fn complete_task(&self, scope: Scope, command: CompleteTask) -> Result<Execution> {
        let lease = command.lease;
        check_usage(&command.usage)?;
        if let Some(confidence) = command.confidence.filter(|confidence| !(0.0..=1.0).contains(confidence)) {
            let message = format!("`confidence` is {confidence}: give 0 to 1");
            return Err(Refusal::invalid("confidence", message).into());
        }
        let reasoning = command.reasoning.map(|text| name::check_text("reasoning", &text, LONGEST_TEXT)).transpose()?;
        let loaded = self.leased(scope, &lease).await?;
        check_holder(&loaded, &lease)?;
        let (agent, version) = loaded.state.steps.get(lease.step).and_then(|step| step.agent).unwrap_or_default();
        let prepared = self.prepared_agent(loaded.scope(), AgentId(agent), version).await?;
        let prepared = prepared.ok_or_else(|| Error::Internal("the task's agent is gone".to_owned()))?;
        if let Some(failure) = self.check_output(&loaded, lease.step, &prepared, &command.output).await? {
            let message = failure.message.clone();
            self.finish_failed(&lease, failure, command.usage, scope.actor()).await?;
            return Err(Refusal::invalid("output", message).into());
        }
        let kept = self.keep_outputs(&loaded, lease.step, &command.output).await?;
        let packed = Packed::new(command.output).await;
        let change = Command::CompleteStep {
            step: lease.step,
            work: lease.work(),
            output: packed.data.clone(),
            usage: command.usage,
            confidence: command.confidence,
            reasoning,
        };
        let change = Change { output: Some((lease.step, packed)), kept, ..Change::by(scope.actor(), change) };
        Ok(self.change_held(&lease, change).await?.found())
    }

    /// Takes a worker's failure.
    pub async fn fail_task(&self, scope: Scope, command: FailTask) -> Result<Execution> {
        check_usage(&command.usage)?;
        let mut problems = Problems::default();
        let message = problems.take(name::check_text("message", &command.message, LONGEST_LINE)).unwrap_or_default();
        let stack = command.stack.map(|stack| problems.take(name::check_text("stack", &stack, LONGEST_TEXT)));
        problems.check()?;
        let loaded = self.leased(scope, &command.lease).await?;
        check_holder(&loaded, &command.lease)?;
        let failure =
            Failure { code: FailureCode::Worker, message, details: stack.flatten(), retryable: command.retryable };
        Ok(self.finish_failed(&command.lease, failure, command.usage, scope.actor()).await?.found())
    }

    pub(super) async fn finish_failed(
        &self,
        lease: &Lease,
        failure: Failure,
        usage: Usage,
        actor: Actor,
    ) -> Result<Arc<Loaded>> {
        let chance = rand::rng().random();
        let command = Command::FailStep { step: lease.step, work: lease.work(), failure, usage, chance };
        self.change_held(lease, Change::by(actor, command)).await
    }

    /// Changes the execution for whoever holds a task, or says what has become of the task.
    async fn change_held(&self, lease: &Lease, change: Change) -> Result<Arc<Loaded>> {
        match self.change(lease.execution, change).await {
            Ok(loaded) => Ok(loaded),
            Err(Error::Refused(refusal)) => {
                // The holder was checked by what was in memory, which was old.
                if let Some(loaded) = self.load_execution(lease.execution).await? {
                    check_holder(&loaded, lease)?;
                }
                Err(Error::Refused(refusal))
            }
            Err(error) => Err(error),
        }
    }

    /// The execution that a lease is about.
    pub(super) async fn leased(&self, scope: Scope, lease: &Lease) -> Result<Arc<Loaded>> {
        let unknown = || Refusal::at("leaseToken", Code::NotFound, "there is no such task in this workspace");
        let loaded = match self.executions().loaded.get(lease.execution) {
            Some(loaded) => Some(loaded),
            None => self.load_execution(lease.execution).await?,
        };
        let loaded = loaded.filter(|loaded| loaded.owner.workspace == scope.workspace()).ok_or_else(unknown)?;
        // What is in memory may be old.
        let loaded = match check_holder(&loaded, lease) {
            Ok(()) => loaded,
            Err(_) => self.load_execution(lease.execution).await?.ok_or_else(unknown)?,
        };
        self.permit_task(scope, &loaded, lease).await?;
        Ok(loaded)
    }
}

/// Refuses whoever does not hold the task any more, saying why.
pub(super) fn check_holder(loaded: &Loaded, lease: &Lease) -> Result<()> {
    let step = loaded.state.steps.get(lease.step);
    let held = step.filter(|step| step.status == StepStatus::Running && step.work == Some(lease.work()));
    if held.and_then(|step| step.task.as_ref()).is_some_and(|(task, _)| *task == lease.task.0) {
        return Ok(());
    }
    let status = loaded.state.status;
    let message = match step.map(|step| step.status) {
        Some(StepStatus::Completed) => "the step is COMPLETED: its output has been taken".to_owned(),
        _ if status.is_terminal() => format!("the execution is {status}: the task is not wanted any more"),
        Some(StepStatus::Running) => "the lease ran out, and the task is in somebody else's hands".to_owned(),
        Some(StepStatus::Scheduled) => "the lease ran out, and the task waits for the next worker".to_owned(),
        Some(status) => format!("the step is {status}: the attempt is over"),
        None => "the execution has no such step".to_owned(),
    };
    Err(Refusal::at("leaseToken", Code::Expired, message).into())
}

fn check_usage(usage: &Usage) -> Result<()> {
    let mut problems = Problems::default();
    for (field, amount) in [("llmCalls", usage.llm_calls), ("tokens", usage.tokens), ("costMicros", usage.cost_micros)]
    {
        if amount > Usage::MOST {
            let message = format!("`{field}` is {amount}: at most {} can be reported at once", Usage::MOST);
            problems.note(Refusal::invalid(field, message));
        }
    }
    problems.check()
}
