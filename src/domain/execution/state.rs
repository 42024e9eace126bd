//! What an execution's events add up to.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    data::Data,
    event::{Event, Origin, Queued, Wish, Work},
    failure::Failure,
    status::{CompletionReason, Mode, Status, StepStatus},
    usage::Usage,
};
use crate::domain::checkpoint::{self, Checkpoint, Runs};

/// An execution as it is after its latest event.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The number of the latest event. Comments, such as log lines, have none.
    pub seq: u64,
    pub workflow: Uuid,
    pub version: i32,
    pub mode: Mode,
    pub status: Status,
    pub input: Data,
    pub correlation_id: Option<String>,
    pub origin: Option<Origin>,
    /// The first of the executions that this one continues.
    pub root: Option<Uuid>,
    pub steps: Vec<StepState>,
    pub usage: Usage,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    /// Time of running before `running_since`.
    pub ran_for: TimeDelta,
    pub running_since: Option<DateTime<Utc>>,
    pub paused_since: Option<DateTime<Utc>>,
    pub finish: Option<Finish>,
    /// In the order in which they were asked for.
    pub checkpoints: Vec<Checkpoint>,
}

/// How an execution ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Finish {
    pub at: DateTime<Utc>,
    pub reason: CompletionReason,
    /// The step at which it failed.
    pub step: Option<usize>,
    pub failure: Option<Failure>,
}

/// One step of an execution.
#[derive(Debug, Clone, PartialEq)]
pub struct StepState {
    pub status: StepStatus,
    /// How often it was begun.
    pub attempt: u32,
    /// The agent and its version, once the step was due.
    pub agent: Option<(Uuid, i32)>,
    pub work: Option<Work>,
    /// The task that waits for somebody, and the queue where workers find it.
    pub task: Option<(Uuid, Option<String>)>,
    pub computed: Option<Data>,
    pub output: Option<Data>,
    /// The latest failure.
    pub failure: Option<Failure>,
    pub skipped_because: Option<String>,
    /// Whether the output is that of the execution that this one continues.
    pub kept: bool,
    pub usage: Usage,
    pub confidence: Option<f64>,
    /// Why the output is what it is, as whoever made it says.
    pub reasoning: Option<String>,
    /// What it was let through with: exactly this is its input.
    pub approved: Option<Approved>,
    /// What people want it to do otherwise.
    pub wish: Option<Wish>,
    /// How often it was reopened.
    pub reopened: u32,
    /// How many attempts were made before that.
    pub attempts_before: u32,
    /// Since when it waits for people in the middle of its work.
    pub asking_since: Option<DateTime<Utc>>,
    /// Since when it waits for somebody to take it.
    pub scheduled_at: Option<DateTime<Utc>>,
    /// When the latest attempt began.
    pub started_at: Option<DateTime<Utc>>,
    /// How long the execution was paused since then.
    pub paused_for: TimeDelta,
    pub finished_at: Option<DateTime<Utc>>,
    pub retry_at: Option<DateTime<Utc>>,
    /// The number of the event that ended it.
    pub finished_seq: Option<u64>,
}

/// A checkpoint that let a step through.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approved {
    pub checkpoint: Uuid,
    pub input: Data,
    /// The version of the agent that was approved: exactly this one runs.
    pub runs: Option<Runs>,
}

impl StepState {
    fn pending() -> Self {
        Self {
            status: StepStatus::Pending,
            attempt: 0,
            agent: None,
            work: None,
            task: None,
            computed: None,
            output: None,
            failure: None,
            skipped_because: None,
            kept: false,
            usage: Usage::default(),
            confidence: None,
            reasoning: None,
            approved: None,
            wish: None,
            reopened: 0,
            attempts_before: 0,
            asking_since: None,
            scheduled_at: None,
            started_at: None,
            paused_for: TimeDelta::zero(),
            finished_at: None,
            retry_at: None,
            finished_seq: None,
        }
    }

    /// Whether nothing has happened to it yet.
    pub fn is_untouched(&self) -> bool {
        *self == Self::pending()
    }

    fn end(&mut self, status: StepStatus, at: DateTime<Utc>, seq: u64) {
        self.status = status;
        self.work = None;
        self.task = None;
        self.retry_at = None;
        self.asking_since = None;
        self.finished_at = Some(at);
        self.finished_seq = Some(seq);
    }
}

impl State {
    /// The state after the first event.
    pub fn begin(queued: &Queued, at: DateTime<Utc>) -> Self {
        let mut steps = vec![StepState::pending(); queued.steps];
        for kept in &queued.kept {
            if let Some(step) = steps.get_mut(kept.step) {
                let status = if kept.output.is_some() { StepStatus::Completed } else { StepStatus::Skipped };
                step.end(status, at, 1);
                step.output = kept.output.clone();
                step.kept = true;
            }
        }
        Self {
            seq: 1,
            workflow: queued.workflow,
            version: queued.version,
            mode: queued.mode,
            status: Status::Queued,
            input: queued.input.clone(),
            correlation_id: queued.correlation_id.clone(),
            origin: queued.origin.clone(),
            root: queued.root,
            steps,
            usage: Usage::default(),
            created_at: at,
            started_at: None,
            ran_for: TimeDelta::zero(),
            running_since: None,
            paused_since: None,
            finish: None,
            checkpoints: Vec::new(),
        }
    }

    /// Adds up events, the first of which must be the beginning.
    pub fn fold<'a>(events: impl IntoIterator<Item = (DateTime<Utc>, &'a Event)>) -> Option<Self> {
        let mut events = events.into_iter();
        let (at, Event::Queued(queued)) = events.next()? else { return None };
        let mut state = Self::begin(queued, at);
        for (at, event) in events {
            state.apply(event, at);
        }
        Some(state)
    }

    /// Takes the next event in. A comment changes nothing.
    pub fn apply(&mut self, event: &Event, at: DateTime<Utc>) {
        if event.is_comment() {
            return;
        }
        self.seq += 1;
        let seq = self.seq;
        match event {
            // Only the first event is one, and [`State::begin`] takes that.
            Event::Queued(_) => {}
            Event::Started {} => {
                self.status = Status::Running;
                self.started_at = Some(at);
                self.running_since = Some(at);
            }
            Event::Paused {} => {
                self.status = Status::Paused;
                self.paused_since = Some(at);
                self.stop_clock(at);
            }
            Event::Resumed {} => {
                self.status = if self.started_at.is_some() { Status::Running } else { Status::Queued };
                self.running_since = self.started_at.map(|_| at);
                if let Some(since) = self.paused_since.take() {
                    let running = |step: &&mut StepState| step.status == StepStatus::Running;
                    // Whoever asks people stands still anyway.
                    for step in self.steps.iter_mut().filter(running).filter(|step| step.asking_since.is_none()) {
                        step.paused_for += at - since;
                    }
                }
            }
            Event::Cancelled { completion, .. } => {
                self.end(Status::Cancelled, completion.unwrap_or(CompletionReason::Cancelled), at, seq);
            }
            Event::Completed { reason } => self.end(Status::Completed, *reason, at, seq),
            Event::Failed { reason, step, failure } => {
                self.end(Status::Failed, *reason, at, seq);
                if let Some(finish) = &mut self.finish {
                    finish.step = *step;
                    finish.failure = Some(failure.clone());
                }
            }
            Event::StepProgressed { .. }
            | Event::StepLogged { .. }
            | Event::PayloadLarge { .. }
            | Event::Deliverable(_) => {}
            Event::StepScheduled { step, .. }
            | Event::StepStarted { step, .. }
            | Event::StepReleased { step, .. }
            | Event::StepCompleted { step, .. }
            | Event::StepRetried { step, .. }
            | Event::StepFailed { step, .. }
            | Event::StepSkipped { step, .. }
            | Event::StepReopened { step, .. } => {
                if let Some(step) = self.steps.get_mut(*step) {
                    self.usage.add(&step.apply(event, at, seq));
                }
            }
            Event::Checkpoint(event) => self.apply_checkpoint(event, at),
        }
        self.notice_waiting(at);
    }

    fn apply_checkpoint(&mut self, event: &checkpoint::Event, at: DateTime<Utc>) {
        checkpoint::apply(&mut self.checkpoints, event, at);
        let id = event.checkpoint();
        let Some(found) = self.checkpoints.iter().find(|found| found.id == id) else { return };
        let Some(step) = found.step.and_then(|step| self.steps.get_mut(step)) else { return };
        match (found.kind, found.status) {
            (checkpoint::Kind::Step, checkpoint::Status::Pending) => {
                step.status = StepStatus::AwaitingApproval;
                step.scheduled_at = None;
            }
            (checkpoint::Kind::Step, status) if status.is_go() => {
                step.status = StepStatus::Pending;
                step.approved = found.proposal().map(|proposal| Approved {
                    checkpoint: id,
                    input: proposal.parameters.clone(),
                    runs: proposal.runs.clone(),
                });
            }
            // What follows from a rejection are events of its own.
            (checkpoint::Kind::Step, _) => {}
            (checkpoint::Kind::External | checkpoint::Kind::Clarification, _) => {
                let number = found.step;
                let asking = self.checkpoints.iter().any(|other| other.step == number && other.is_pending());
                match (asking, step.asking_since) {
                    (true, None) => step.asking_since = Some(at),
                    (false, Some(since)) => {
                        step.paused_for += at - since;
                        step.asking_since = None;
                    }
                    (true, Some(_)) | (false, None) => {}
                }
            }
        }
    }

    /// While nothing but people can move an execution, its time stands still.
    fn notice_waiting(&mut self, at: DateTime<Utc>) {
        let waits = self.waits_for_people();
        match self.status {
            Status::Running if waits => {
                self.status = Status::AwaitingApproval;
                self.stop_clock(at);
            }
            Status::AwaitingApproval if !waits => {
                self.status = Status::Running;
                self.running_since = Some(at);
            }
            _ => {}
        }
    }

    fn waits_for_people(&self) -> bool {
        let moves = |step: &StepState| match step.status {
            StepStatus::Scheduled | StepStatus::Retrying => true,
            StepStatus::Running => step.asking_since.is_none(),
            StepStatus::Pending
            | StepStatus::AwaitingApproval
            | StepStatus::Completed
            | StepStatus::Failed
            | StepStatus::Skipped
            | StepStatus::Cancelled => false,
        };
        self.checkpoints.iter().any(Checkpoint::is_pending) && !self.steps.iter().any(moves)
    }

    /// Whether steps may begin and end.
    pub fn is_moving(&self) -> bool {
        matches!(self.status, Status::Running | Status::AwaitingApproval)
    }

    pub fn checkpoint(&self, id: Uuid) -> Option<&Checkpoint> {
        self.checkpoints.iter().find(|checkpoint| checkpoint.id == id)
    }

    /// Checkpoints that wait for people.
    pub fn pending(&self) -> impl Iterator<Item = &Checkpoint> {
        self.checkpoints.iter().filter(|checkpoint| checkpoint.is_pending())
    }

    fn stop_clock(&mut self, at: DateTime<Utc>) {
        if let Some(since) = self.running_since.take() {
            self.ran_for += at - since;
        }
    }

    fn end(&mut self, status: Status, reason: CompletionReason, at: DateTime<Utc>, seq: u64) {
        self.stop_clock(at);
        self.status = status;
        self.finish = Some(Finish { at, reason, step: None, failure: None });
        for step in self.steps.iter_mut().filter(|step| !step.status.is_terminal()) {
            // What never began is simply not there; the rest was stopped.
            if step.status != StepStatus::Pending {
                step.end(StepStatus::Cancelled, at, seq);
            }
        }
    }

    /// How many steps are over, and will not run.
    pub fn steps_done(&self) -> usize {
        self.steps.iter().filter(|step| step.status.is_terminal()).count()
    }
}

impl StepState {
    /// Takes an event of this step in and gives what it cost.
    fn apply(&mut self, event: &Event, at: DateTime<Utc>, seq: u64) -> Usage {
        match event {
            Event::StepScheduled { attempt, agent, agent_version, computed, task, queue, .. } => {
                self.status = StepStatus::Scheduled;
                self.attempt = *attempt;
                self.agent = Some((*agent, *agent_version));
                self.computed = Some(computed.clone());
                self.task = Some((*task, queue.clone()));
                self.scheduled_at = Some(at);
                self.retry_at = None;
            }
            Event::StepStarted { attempt, agent, agent_version, computed, work, .. } => {
                self.status = StepStatus::Running;
                self.attempt = *attempt;
                self.agent = Some((*agent, *agent_version));
                self.computed = computed.clone().or_else(|| self.computed.take());
                self.work = Some(work.clone());
                if matches!(work, Work::Server(_)) {
                    self.task = None;
                }
                self.started_at = Some(at);
                self.paused_for = TimeDelta::zero();
                self.retry_at = None;
            }
            Event::StepReleased { task, queue, .. } => {
                self.status = StepStatus::Scheduled;
                self.work = None;
                self.task = Some((*task, queue.clone()));
                self.scheduled_at = Some(at);
            }
            Event::StepCompleted { output, usage, confidence, reasoning, .. } => {
                self.end(StepStatus::Completed, at, seq);
                self.reasoning.clone_from(reasoning);
                self.output = Some(output.clone());
                self.failure = None;
                self.confidence = *confidence;
                self.usage.add(usage);
                return *usage;
            }
            Event::StepRetried { failure, usage, retry_at, .. } => {
                self.status = StepStatus::Retrying;
                self.work = None;
                self.task = None;
                self.asking_since = None;
                self.failure = Some(failure.clone());
                self.retry_at = Some(*retry_at);
                self.usage.add(usage);
                return *usage;
            }
            Event::StepFailed { failure, usage, .. } => {
                self.end(StepStatus::Failed, at, seq);
                self.failure = Some(failure.clone());
                self.usage.add(usage);
                return *usage;
            }
            Event::StepSkipped { reason, .. } => {
                self.end(StepStatus::Skipped, at, seq);
                self.skipped_because = Some(reason.clone());
            }
            Event::StepReopened { wish, .. } => {
                // What it cost and how often it was tried stays; the rest begins anew.
                *self = Self {
                    attempt: self.attempt,
                    attempts_before: self.attempt,
                    usage: self.usage,
                    reopened: self.reopened + 1,
                    wish: wish.clone(),
                    ..Self::pending()
                };
            }
            // None of these is about one step.
            Event::Queued(_)
            | Event::Started {}
            | Event::StepProgressed { .. }
            | Event::StepLogged { .. }
            | Event::PayloadLarge { .. }
            | Event::Paused {}
            | Event::Resumed {}
            | Event::Cancelled { .. }
            | Event::Completed { .. }
            | Event::Failed { .. }
            | Event::Checkpoint(_)
            | Event::Deliverable(_) => {}
        }
        Usage::default()
    }
}
