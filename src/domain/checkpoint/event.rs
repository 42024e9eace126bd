//! What happens to a checkpoint, as its execution's journal records it.
//!
//! The journal is kept for ever and read by every later version: fields are added, never renamed or removed.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    difference::Change,
    proposal::Proposal,
    words::{Cause, Kind, Reassessment, Verdict},
};
use crate::domain::{
    access::Actor,
    execution::Data,
    policy::{Contact, Notice, OnTimeout, Reason, Requirement},
};

/// How a checkpoint begins.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Requested {
    pub checkpoint: Uuid,
    pub kind: Kind,
    /// The step that waits, or whose worker asks; nothing for a request that stands alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// By which the asker finds it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    pub by: Actor,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Uuid>,
    pub proposal: Proposal,
    pub digest: String,
    /// Where in the parameters the items are, if they were not computed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items_path: Option<Vec<String>>,
    pub requirement: Requirement,
    /// The version of the policy that asked; nothing for the one that is built in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<i32>,
}

/// A checkpoint at which nobody was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AutoApproved {
    pub checkpoint: Uuid,
    pub kind: Kind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    pub by: Actor,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<Uuid>,
    pub proposal: Proposal,
    pub digest: String,
    /// The rule that approved it.
    pub rule: String,
    pub reasons: Vec<Reason>,
    /// The checkpoint rule that would have asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instead_of: Option<String>,
    /// Who hears of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<Notice>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<i32>,
    /// Which version of the rule it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// One person's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    pub checkpoint: Uuid,
    pub decision: Uuid,
    pub by: Actor,
    /// Whose answer it counts as: the same for all tokens of one person.
    pub person: Uuid,
    /// The person for whom it was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_behalf_of: Option<Uuid>,
    pub verdict: Verdict,
    pub revision: u32,
    pub digest: String,
    /// Which of the seats of the quorum it can fill.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Data>,
}

/// The next revision of a proposal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Revised {
    pub checkpoint: Uuid,
    /// From 2: the first one is the request.
    pub number: u32,
    pub cause: Cause,
    pub by: Actor,
    pub proposal: Proposal,
    pub digest: String,
    /// What a person changed, if it is not too much to tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
}

/// Something else is asked of people than before.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reassessed {
    pub checkpoint: Uuid,
    pub why: Reassessment,
    pub by: Actor,
    /// What is asked for from now on.
    pub requirement: Requirement,
    /// The version of the policy that was in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<i32>,
    /// The seats that the decisions which still count can fill now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seated: Vec<Seated>,
}

/// A decision and the seats that it can fill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seated {
    pub decision: Uuid,
    pub seats: Vec<usize>,
}

/// One thing that happened to a checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// Somebody must decide.
    #[serde(rename = "checkpoint.requested")]
    Requested(Box<Requested>),
    /// A rule approved it.
    #[serde(rename = "checkpoint.auto_approved")]
    AutoApproved(Box<AutoApproved>),
    /// Somebody decided; others may have to.
    #[serde(rename = "checkpoint.decided")]
    Decided(Box<Decided>),
    /// There is another revision of the proposal.
    #[serde(rename = "checkpoint.revised")]
    Revised(Box<Revised>),
    /// A decision counts no longer: it was about an older revision, or its maker has lost the right to it.
    #[serde(rename = "checkpoint.lapsed")]
    Lapsed {
        checkpoint: Uuid,
        decision: Uuid,
        /// Why, unless it was about an older revision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Something else is asked of people than before.
    #[serde(rename = "checkpoint.reassessed")]
    Reassessed(Box<Reassessed>),
    /// All who had to approve did.
    #[serde(rename = "checkpoint.approved")]
    Approved { checkpoint: Uuid },
    /// Somebody rejected it.
    #[serde(rename = "checkpoint.rejected")]
    Rejected { checkpoint: Uuid, reason: String },
    /// Nobody decided in time.
    #[serde(rename = "checkpoint.timed_out")]
    TimedOut { checkpoint: Uuid, action: OnTimeout },
    /// Nobody needs the answer any more.
    #[serde(rename = "checkpoint.cancelled")]
    Cancelled { checkpoint: Uuid, reason: String },
    /// Nobody decided for a while: others are asked as well.
    #[serde(rename = "checkpoint.escalated")]
    Escalated { checkpoint: Uuid, to: Vec<Contact> },
    /// Those who can decide are reminded.
    #[serde(rename = "checkpoint.reminded")]
    Reminded { checkpoint: Uuid, number: u32 },
    /// Somebody took it, or gave it to somebody; or gave it back.
    #[serde(rename = "checkpoint.assigned")]
    Assigned {
        checkpoint: Uuid,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<Uuid>,
    },
    /// Somebody let another person decide in their place.
    #[serde(rename = "checkpoint.delegated")]
    Delegated { checkpoint: Uuid, from: Uuid, to: Uuid },
    /// Somebody said something about it.
    #[serde(rename = "checkpoint.commented")]
    Commented { checkpoint: Uuid, comment: Uuid, by: Actor, text: String },
    /// Somebody wants to know something before deciding.
    #[serde(rename = "checkpoint.asked")]
    Asked { checkpoint: Uuid, question: Uuid, by: Actor, text: String },
    /// Whoever is behind the proposal answered.
    #[serde(rename = "checkpoint.answered")]
    Answered { checkpoint: Uuid, question: Uuid, by: Actor, text: String },
    /// Somebody would not have approved what a rule did.
    #[serde(rename = "checkpoint.overridden")]
    Overridden { checkpoint: Uuid, by: Actor, person: Uuid, reason: String },
}

impl Event {
    /// The kinds of events, as the journal names them.
    pub const KINDS: &'static [&'static str] = &[
        "checkpoint.requested",
        "checkpoint.auto_approved",
        "checkpoint.decided",
        "checkpoint.revised",
        "checkpoint.lapsed",
        "checkpoint.reassessed",
        "checkpoint.approved",
        "checkpoint.rejected",
        "checkpoint.timed_out",
        "checkpoint.cancelled",
        "checkpoint.escalated",
        "checkpoint.reminded",
        "checkpoint.assigned",
        "checkpoint.delegated",
        "checkpoint.commented",
        "checkpoint.asked",
        "checkpoint.answered",
        "checkpoint.overridden",
    ];

    pub fn kind(&self) -> &'static str {
        match self {
            Event::Requested(_) => "checkpoint.requested",
            Event::AutoApproved(_) => "checkpoint.auto_approved",
            Event::Decided(_) => "checkpoint.decided",
            Event::Revised(_) => "checkpoint.revised",
            Event::Lapsed { .. } => "checkpoint.lapsed",
            Event::Reassessed(_) => "checkpoint.reassessed",
            Event::Approved { .. } => "checkpoint.approved",
            Event::Rejected { .. } => "checkpoint.rejected",
            Event::TimedOut { .. } => "checkpoint.timed_out",
            Event::Cancelled { .. } => "checkpoint.cancelled",
            Event::Escalated { .. } => "checkpoint.escalated",
            Event::Reminded { .. } => "checkpoint.reminded",
            Event::Assigned { .. } => "checkpoint.assigned",
            Event::Delegated { .. } => "checkpoint.delegated",
            Event::Commented { .. } => "checkpoint.commented",
            Event::Asked { .. } => "checkpoint.asked",
            Event::Answered { .. } => "checkpoint.answered",
            Event::Overridden { .. } => "checkpoint.overridden",
        }
    }

    /// The checkpoint that it happened to.
    pub fn checkpoint(&self) -> Uuid {
        match self {
            Event::Requested(requested) => requested.checkpoint,
            Event::AutoApproved(approved) => approved.checkpoint,
            Event::Decided(decided) => decided.checkpoint,
            Event::Revised(revised) => revised.checkpoint,
            Event::Reassessed(reassessed) => reassessed.checkpoint,
            Event::Lapsed { checkpoint, .. }
            | Event::Approved { checkpoint }
            | Event::Rejected { checkpoint, .. }
            | Event::TimedOut { checkpoint, .. }
            | Event::Cancelled { checkpoint, .. }
            | Event::Escalated { checkpoint, .. }
            | Event::Reminded { checkpoint, .. }
            | Event::Assigned { checkpoint, .. }
            | Event::Delegated { checkpoint, .. }
            | Event::Commented { checkpoint, .. }
            | Event::Asked { checkpoint, .. }
            | Event::Answered { checkpoint, .. }
            | Event::Overridden { checkpoint, .. } => *checkpoint,
        }
    }
}
