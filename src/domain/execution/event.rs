//! What happens to an execution, as the journal records it.
//!
//! The journal is kept for ever and read by every later version: fields are added, never renamed or removed.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    data::Data,
    failure::Failure,
    status::{CompletionReason, Mode},
    usage::Usage,
};
use crate::domain::{checkpoint, deliverable, words::words};

words! {
    /// Why an execution continues another one.
    OriginKind {
        /// The same again from the start.
        Retry = "RETRY",
        /// Goes on from where the other one failed.
        Resume = "RESUME",
        /// Goes another way from a step on.
        Fork = "FORK",
    }
}

words! {
    /// How important a log line is.
    LogLevel {
        Debug = "DEBUG",
        Info = "INFO",
        Warn = "WARN",
        Error = "ERROR",
    }
}

words! {
    /// Why a step's work was given back.
    Released {
        /// The worker did not answer in time.
        LeaseExpired = "LEASE_EXPIRED",
        /// The server that did it is gone.
        ServerLost = "SERVER_LOST",
    }
}

/// The execution that this one continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    pub execution: Uuid,
    pub kind: OriginKind,
    /// From which step on it runs anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_step: Option<String>,
}

/// An output of the origin that is used again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    pub step: usize,
    /// Nothing for a step that was skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Data>,
}

/// How an execution begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queued {
    pub workflow: Uuid,
    pub version: i32,
    pub steps: usize,
    pub mode: Mode,
    /// With the workflow's defaults filled in.
    pub input: Data,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correlation_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// The first of the executions that this one continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<Uuid>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<Kept>,
}

/// What people want from a step that is to run again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wish {
    /// Why what it prepared was rejected.
    pub reason: String,
    /// What was rejected.
    pub parameters: Data,
    pub checkpoint: Uuid,
}

/// Who does a step's work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    /// A server, within its own process.
    #[serde(rename = "server")]
    Server(Uuid),
    /// Somebody's own program, for as long as its lease lasts.
    #[serde(rename = "worker")]
    Worker { id: String, lease: Uuid },
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// The execution exists.
    #[serde(rename = "execution.queued")]
    Queued(Box<Queued>),
    /// The execution got its place.
    #[serde(rename = "execution.started")]
    Started {},
    /// A step could run, and waits for its worker or a free place.
    #[serde(rename = "step.scheduled")]
    StepScheduled {
        step: usize,
        attempt: u32,
        agent: Uuid,
        agent_version: i32,
        /// What was computed for its input; the rest of the input is found in the outputs.
        computed: Data,
        task: Uuid,
        /// Where workers find it; nothing for work that a server does itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        queue: Option<String>,
    },
    /// Somebody works on a step.
    #[serde(rename = "step.started")]
    StepStarted {
        step: usize,
        attempt: u32,
        agent: Uuid,
        agent_version: i32,
        /// As for a scheduled step; nothing where it was scheduled before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        computed: Option<Data>,
        work: Work,
    },
    /// Whoever worked on a step is gone: somebody else may take it, as the same attempt.
    #[serde(rename = "step.released")]
    StepReleased {
        step: usize,
        attempt: u32,
        reason: Released,
        task: Uuid,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        queue: Option<String>,
    },
    /// How far a step is, from 0 to 1.
    #[serde(rename = "step.progressed")]
    StepProgressed { step: usize, progress: f64 },
    /// A line that a step or its worker wrote.
    #[serde(rename = "step.logged")]
    StepLogged { step: usize, level: LogLevel, message: String },
    /// A step gave its output.
    #[serde(rename = "step.completed")]
    StepCompleted {
        step: usize,
        attempt: u32,
        output: Data,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        usage: Usage,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confidence: Option<f64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reasoning: Option<String>,
    },
    /// A step failed and will be tried again.
    #[serde(rename = "step.retried")]
    StepRetried {
        step: usize,
        attempt: u32,
        failure: Failure,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        usage: Usage,
        retry_at: DateTime<Utc>,
    },
    /// A step failed for good.
    #[serde(rename = "step.failed")]
    StepFailed {
        step: usize,
        /// Nothing for a step that failed before its first attempt.
        attempt: u32,
        failure: Failure,
        #[serde(default, skip_serializing_if = "Usage::is_none")]
        usage: Usage,
    },
    /// A step was not needed.
    #[serde(rename = "step.skipped")]
    StepSkipped { step: usize, reason: String },
    /// People want something else from a step that is done, or from one that they rejected: it runs again.
    #[serde(rename = "step.reopened")]
    StepReopened {
        step: usize,
        /// What the step is to know; nothing for the one that was rejected.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        wish: Option<Wish>,
    },
    /// A value is so large that somebody should know.
    #[serde(rename = "payload.large")]
    PayloadLarge {
        /// Whose output it is; nothing for the execution's input.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<usize>,
        bytes: u64,
    },
    /// Somebody stopped it for now.
    #[serde(rename = "execution.paused")]
    Paused {},
    /// Somebody let it go on.
    #[serde(rename = "execution.resumed")]
    Resumed {},
    /// Somebody stopped it for good.
    #[serde(rename = "execution.cancelled")]
    Cancelled {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// Nothing if somebody cancelled the execution itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        completion: Option<CompletionReason>,
    },
    /// It came to its end.
    #[serde(rename = "execution.completed")]
    Completed { reason: CompletionReason },
    /// It stopped at an error; nothing for an error that belongs to no step.
    #[serde(rename = "execution.failed")]
    Failed {
        reason: CompletionReason,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        step: Option<usize>,
        failure: Failure,
    },
    /// Something happened at a checkpoint. These have names of their own in the journal.
    #[serde(skip)]
    Checkpoint(checkpoint::Event),
    /// Something happened to a deliverable. These have names of their own as well.
    #[serde(skip)]
    Deliverable(deliverable::Event),
}

impl Event {
    /// The kinds of events that are about neither checkpoints nor deliverables, as the journal names them.
    pub const KINDS: &'static [&'static str] = &[
        "execution.queued",
        "execution.started",
        "step.scheduled",
        "step.started",
        "step.released",
        "step.progressed",
        "step.logged",
        "step.completed",
        "step.retried",
        "step.failed",
        "step.skipped",
        "step.reopened",
        "payload.large",
        "execution.paused",
        "execution.resumed",
        "execution.cancelled",
        "execution.completed",
        "execution.failed",
    ];

    pub fn kind(&self) -> &'static str {
        match self {
            Event::Queued(_) => "execution.queued",
            Event::Started { .. } => "execution.started",
            Event::StepScheduled { .. } => "step.scheduled",
            Event::StepStarted { .. } => "step.started",
            Event::StepReleased { .. } => "step.released",
            Event::StepProgressed { .. } => "step.progressed",
            Event::StepLogged { .. } => "step.logged",
            Event::StepCompleted { .. } => "step.completed",
            Event::StepRetried { .. } => "step.retried",
            Event::StepFailed { .. } => "step.failed",
            Event::StepSkipped { .. } => "step.skipped",
            Event::StepReopened { .. } => "step.reopened",
            Event::PayloadLarge { .. } => "payload.large",
            Event::Paused { .. } => "execution.paused",
            Event::Resumed { .. } => "execution.resumed",
            Event::Cancelled { .. } => "execution.cancelled",
            Event::Completed { .. } => "execution.completed",
            Event::Failed { .. } => "execution.failed",
            Event::Checkpoint(event) => event.kind(),
            Event::Deliverable(event) => event.kind(),
        }
    }

    /// What the journal keeps beside the kind.
    pub fn data(&self) -> String {
        let text = match self {
            Event::Checkpoint(event) => serde_json::to_string(event),
            Event::Deliverable(event) => serde_json::to_string(event),
            event => serde_json::to_string(event),
        };
        let text = text.unwrap_or_default();
        // The kind has a column of its own: `{"kind":DATA}`.
        text.get(self.kind().len() + 4..text.len().saturating_sub(1)).unwrap_or_default().to_owned()
    }

    /// Reads an event back.
    pub fn read(kind: &str, data: &str) -> Result<Self, String> {
        let text = format!("{{\"{kind}\":{data}}}");
        let read = if Self::KINDS.contains(&kind) {
            serde_json::from_str(&text)
        } else if checkpoint::Event::KINDS.contains(&kind) {
            serde_json::from_str(&text).map(Event::Checkpoint)
        } else if deliverable::Event::KINDS.contains(&kind) {
            serde_json::from_str(&text).map(Event::Deliverable)
        } else {
            return Err(format!("`{kind}` is not a kind of event that this version knows"));
        };
        read.map_err(|error| format!("cannot read an event of kind `{kind}`: {error}"))
    }

    /// Whether it only tells something, such as a log line: no decision depends on it, it has no number in its
    /// execution, and it may be added at any time.
    pub fn is_comment(&self) -> bool {
        matches!(
            self,
            Event::StepProgressed { .. }
                | Event::StepLogged { .. }
                | Event::PayloadLarge { .. }
                | Event::Deliverable(_)
        )
    }

    /// The same for a kind.
    pub fn is_kind_of_comment(kind: &str) -> bool {
        ["step.progressed", "step.logged", "payload.large"].contains(&kind) || deliverable::Event::KINDS.contains(&kind)
    }

    /// The step that it is about.
    pub fn step(&self) -> Option<usize> {
        match self {
            Event::StepScheduled { step, .. }
            | Event::StepStarted { step, .. }
            | Event::StepReleased { step, .. }
            | Event::StepProgressed { step, .. }
            | Event::StepLogged { step, .. }
            | Event::StepCompleted { step, .. }
            | Event::StepRetried { step, .. }
            | Event::StepFailed { step, .. }
            | Event::StepSkipped { step, .. }
            | Event::StepReopened { step, .. } => Some(*step),
            Event::PayloadLarge { step, .. } | Event::Failed { step, .. } => *step,
            Event::Deliverable(event) => event.about().step,
            Event::Queued(_)
            | Event::Started {}
            | Event::Paused {}
            | Event::Resumed {}
            | Event::Cancelled { .. }
            | Event::Completed { .. }
            | Event::Checkpoint(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{execution::FailureCode, json::Json};

    #[test]
    fn events_survive_the_journal() {
        let data = || Data::Inline(Json::parse(r#"{"n":123456789012345678901234567890,"f":1.50}"#).expect("valid"));
        let failure = Failure::passing(FailureCode::Network, "gone").with_details("a\nb");
        let (step, attempt, usage, id) = (3, 2, Usage { tokens: 7, ..Usage::default() }, Uuid::from_u128(9));
        let events = [
            Event::Queued(Box::new(Queued {
                workflow: id,
                version: 4,
                steps: 5,
                mode: Mode::Test,
                input: data(),
                correlation_id: Some("x".to_owned()),
                origin: Some(Origin { execution: id, kind: OriginKind::Fork, from_step: Some("a".to_owned()) }),
                root: Some(id),
                kept: vec![Kept { step: 0, output: Some(data()) }, Kept { step: 1, output: None }],
            })),
            Event::Started {},
            Event::StepScheduled {
                step,
                attempt,
                agent: id,
                agent_version: 1,
                computed: data(),
                task: id,
                queue: Some("q".to_owned()),
            },
            Event::StepStarted {
                step,
                attempt,
                agent: id,
                agent_version: 1,
                computed: None,
                work: Work::Worker { id: "w".to_owned(), lease: id },
            },
            Event::StepReleased { step, attempt, reason: Released::LeaseExpired, task: id, queue: None },
            Event::StepProgressed { step, progress: 0.25 },
            Event::StepLogged { step, level: LogLevel::Warn, message: "é".to_owned() },
            Event::StepCompleted { step, attempt, output: data(), usage, confidence: Some(0.9), reasoning: None },
            Event::StepRetried { step, attempt, failure: failure.clone(), usage, retry_at: DateTime::UNIX_EPOCH },
            Event::StepFailed { step, attempt, failure: failure.clone(), usage },
            Event::StepSkipped { step, reason: "no".to_owned() },
            Event::StepReopened {
                step,
                wish: Some(Wish { reason: "less".to_owned(), parameters: data(), checkpoint: id }),
            },
            Event::PayloadLarge { step: None, bytes: 6_000_000 },
            Event::Paused {},
            Event::Resumed {},
            Event::Cancelled { reason: None, completion: Some(CompletionReason::Rejected) },
            Event::Completed { reason: CompletionReason::Partial },
            Event::Failed { reason: CompletionReason::Failed, step: None, failure },
        ];
        assert_eq!(events.each_ref().map(Event::kind).as_slice(), Event::KINDS, "one of each kind");
        for event in events {
            let data = event.data();
            assert_eq!(event.is_comment(), Event::is_kind_of_comment(event.kind()));
            assert_eq!(Event::read(event.kind(), &data).as_ref(), Ok(&event), "{data}");
        }
        assert!(Event::read("execution.exploded", "{}").is_err());
    }
}
