//! What a checkpoint's events add up to.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::{
    difference::Change,
    event::{AutoApproved, Decided, Event, Reassessed, Requested},
    proposal::Proposal,
    words::{Cause, Kind, Status},
};
use crate::domain::{
    access::Actor,
    execution::Data,
    policy::{Contact, OnTimeout, Reason, Requirement},
};

/// A checkpoint as it is after its latest event.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoint {
    pub id: Uuid,
    pub kind: Kind,
    pub step: Option<usize>,
    pub key: Option<String>,
    /// Who asked.
    pub by: Actor,
    pub agent: Option<Uuid>,
    pub status: Status,
    /// The latest one is the one that is decided on. Never empty.
    pub revisions: Vec<Revision>,
    pub items_path: Option<Vec<String>>,
    /// Nothing where a rule approved it.
    pub requirement: Option<Requirement>,
    /// The rule that approved it.
    pub auto_approved_by: Option<String>,
    pub reasons: Vec<Reason>,
    pub policy: Option<i32>,
    pub decisions: Vec<Decision>,
    pub assignee: Option<Uuid>,
    /// Who may decide in whose place.
    pub delegations: Vec<(Uuid, Uuid)>,
    pub comments: Vec<Remark>,
    pub questions: Vec<Asked>,
    /// The others that were asked after a while.
    pub escalated_to: Vec<Contact>,
    pub requested_at: DateTime<Utc>,
    pub deadline: Option<DateTime<Utc>>,
    pub escalate_at: Option<DateTime<Utc>>,
    pub escalated_at: Option<DateTime<Utc>>,
    pub remind_at: Option<DateTime<Utc>>,
    pub reminders: u32,
    pub resolved_at: Option<DateTime<Utc>>,
    /// Why it was rejected or cancelled.
    pub reason: Option<String>,
    /// Which version of the rule approved it.
    pub fingerprint: Option<String>,
    /// Who would not have approved it as a rule did.
    pub overridden: Option<Overridden>,
}

/// Somebody's word against a rule's.
#[derive(Debug, Clone, PartialEq)]
pub struct Overridden {
    pub by: Actor,
    pub person: Uuid,
    pub at: DateTime<Utc>,
    pub reason: String,
}

/// One revision of a proposal.
#[derive(Debug, Clone, PartialEq)]
pub struct Revision {
    pub number: u32,
    /// Nothing for the first.
    pub cause: Option<Cause>,
    pub by: Actor,
    pub at: DateTime<Utc>,
    pub proposal: Proposal,
    pub digest: String,
    /// What a person changed, if it is not too much to tell.
    pub changes: Vec<Change>,
}

/// One person's answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub made: Decided,
    pub at: DateTime<Utc>,
    /// Whether it counts no longer.
    pub lapsed: bool,
}

/// Something that somebody said.
#[derive(Debug, Clone, PartialEq)]
pub struct Remark {
    pub id: Uuid,
    pub by: Actor,
    pub at: DateTime<Utc>,
    pub text: String,
}

/// A question about the proposal.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    pub question: Remark,
    pub answer: Option<Remark>,
}

impl Checkpoint {
    /// The revision that is decided on.
    pub fn current(&self) -> Option<&Revision> {
        self.revisions.last()
    }

    pub fn proposal(&self) -> Option<&Proposal> {
        self.current().map(|revision| &revision.proposal)
    }

    /// The rule that asked, or that approved it.
    pub fn rule(&self) -> Option<&str> {
        let asked = self.requirement.as_ref().and_then(|requirement| requirement.rule.as_deref());
        asked.or(self.auto_approved_by.as_deref())
    }

    pub fn is_pending(&self) -> bool {
        self.status == Status::Pending
    }

    /// The decisions that count.
    pub fn live_decisions(&self) -> impl Iterator<Item = &Decision> {
        self.decisions.iter().filter(|decision| !decision.lapsed)
    }

    /// The answers to a clarification.
    pub fn answers(&self) -> Option<&Data> {
        self.live_decisions().find_map(|decision| decision.made.answers.as_ref())
    }

    /// When something falls due by itself.
    pub fn due(&self) -> Option<DateTime<Utc>> {
        if !self.is_pending() {
            return None;
        }
        [self.deadline, self.escalate_at, self.remind_at].into_iter().flatten().min()
    }

    pub(super) fn requested(requested: &Requested, at: DateTime<Utc>) -> Self {
        let requirement = &requested.requirement;
        let after = |seconds: Option<u64>| later(at, seconds?);
        Self {
            id: requested.checkpoint,
            kind: requested.kind,
            step: requested.step,
            key: requested.key.clone(),
            by: requested.by,
            agent: requested.agent,
            status: Status::Pending,
            revisions: vec![first(requested.by, &requested.proposal, &requested.digest, at)],
            items_path: requested.items_path.clone(),
            auto_approved_by: None,
            reasons: requirement.reasons.clone(),
            policy: requested.policy,
            decisions: Vec::new(),
            assignee: None,
            delegations: Vec::new(),
            comments: Vec::new(),
            questions: Vec::new(),
            escalated_to: Vec::new(),
            requested_at: at,
            deadline: after(requirement.timeout.map(|timeout| timeout.after_seconds)),
            escalate_at: after(requirement.escalation.as_ref().and_then(|escalation| escalation.after_seconds)),
            escalated_at: None,
            remind_at: after(requirement.reminder_seconds),
            reminders: 0,
            resolved_at: None,
            reason: None,
            fingerprint: None,
            overridden: None,
            requirement: Some(requirement.clone()),
        }
    }

    pub(super) fn auto_approved(approved: &AutoApproved, at: DateTime<Utc>) -> Self {
        Self {
            id: approved.checkpoint,
            kind: approved.kind,
            step: approved.step,
            key: approved.key.clone(),
            by: approved.by,
            agent: approved.agent,
            status: Status::AutoApproved,
            revisions: vec![first(approved.by, &approved.proposal, &approved.digest, at)],
            items_path: None,
            requirement: None,
            auto_approved_by: Some(approved.rule.clone()),
            reasons: approved.reasons.clone(),
            policy: approved.policy,
            decisions: Vec::new(),
            assignee: None,
            delegations: Vec::new(),
            comments: Vec::new(),
            questions: Vec::new(),
            escalated_to: Vec::new(),
            requested_at: at,
            deadline: None,
            escalate_at: None,
            escalated_at: None,
            remind_at: None,
            reminders: 0,
            resolved_at: Some(at),
            reason: None,
            fingerprint: approved.fingerprint.clone(),
            overridden: None,
        }
    }

    /// Takes the next event in.
    pub(super) fn apply(&mut self, event: &Event, at: DateTime<Utc>) {
        match event {
            // Only the first event is one of these, and they begin a checkpoint.
            Event::Requested(_) | Event::AutoApproved(_) => {}
            Event::Decided(made) => self.decisions.push(Decision { made: (**made).clone(), at, lapsed: false }),
            Event::Revised(revised) => self.revisions.push(Revision {
                number: revised.number,
                cause: Some(revised.cause),
                by: revised.by,
                at,
                proposal: revised.proposal.clone(),
                digest: revised.digest.clone(),
                changes: revised.changes.clone(),
            }),
            Event::Lapsed { decision, .. } => {
                for found in self.decisions.iter_mut().filter(|found| found.made.decision == *decision) {
                    found.lapsed = true;
                }
            }
            Event::Reassessed(reassessed) => self.reassess(reassessed, at),
            Event::Approved { .. } => self.resolve(Status::Approved, at),
            Event::Rejected { reason, .. } => {
                self.reason = Some(reason.clone());
                self.resolve(Status::Rejected, at);
            }
            Event::TimedOut { action, .. } => match action {
                // The policy says that silence is consent.
                OnTimeout::Approve => self.resolve(Status::Approved, at),
                OnTimeout::Cancel | OnTimeout::Reject => self.resolve(Status::TimedOut, at),
                OnTimeout::Escalate => self.deadline = None,
            },
            Event::Cancelled { reason, .. } => {
                self.reason = Some(reason.clone());
                self.resolve(Status::Cancelled, at);
            }
            Event::Escalated { to, .. } => {
                let new = to.iter().filter(|contact| !self.escalated_to.contains(contact)).cloned();
                let new: Vec<Contact> = new.collect();
                self.escalated_to.extend(new);
                self.escalated_at = Some(at);
                self.escalate_at = None;
            }
            Event::Reminded { number, .. } => {
                self.reminders = *number;
                let pause = self.requirement.as_ref().and_then(|requirement| requirement.reminder_seconds);
                self.remind_at = pause.and_then(|seconds| later(at, seconds));
            }
            Event::Assigned { to, .. } => self.assignee = *to,
            Event::Delegated { from, to, .. } => self.delegations.push((*from, *to)),
            Event::Commented { comment, by, text, .. } => {
                self.comments.push(Remark { id: *comment, by: *by, at, text: text.clone() });
            }
            Event::Asked { question, by, text, .. } => {
                let question = Remark { id: *question, by: *by, at, text: text.clone() };
                self.questions.push(Asked { question, answer: None });
            }
            Event::Answered { question, by, text, .. } => {
                for asked in self.questions.iter_mut().filter(|asked| asked.question.id == *question) {
                    asked.answer = Some(Remark { id: *question, by: *by, at, text: text.clone() });
                }
            }
            Event::Overridden { by, person, reason, .. } => {
                self.overridden = Some(Overridden { by: *by, person: *person, at, reason: reason.clone() });
            }
        }
    }

    /// People's time goes on from when they were first asked.
    fn reassess(&mut self, reassessed: &Reassessed, at: DateTime<Utc>) {
        let requirement = &reassessed.requirement;
        if self.requirement.as_ref().map(|before| before.timeout) != Some(requirement.timeout) {
            self.deadline = requirement.timeout.and_then(|timeout| later(self.requested_at, timeout.after_seconds));
        }
        let knows = |contact: &Contact| self.escalated_to.contains(contact);
        let all_asked = requirement.stand_ins().all(|contact| knows(&contact));
        let escalates = requirement.escalation.as_ref().and_then(|escalation| escalation.after_seconds);
        self.escalate_at = escalates.filter(|_| !all_asked).and_then(|seconds| later(self.requested_at, seconds));
        if self.remind_at.is_none() {
            self.remind_at = requirement.reminder_seconds.and_then(|seconds| later(at, seconds));
        }
        for seated in &reassessed.seated {
            for found in self.decisions.iter_mut().filter(|found| found.made.decision == seated.decision) {
                found.made.seats.clone_from(&seated.seats);
            }
        }
        self.reasons.clone_from(&requirement.reasons);
        self.policy = reassessed.policy;
        self.requirement = Some(requirement.clone());
    }

    fn resolve(&mut self, status: Status, at: DateTime<Utc>) {
        self.status = status;
        self.resolved_at = Some(at);
    }
}

fn later(at: DateTime<Utc>, seconds: u64) -> Option<DateTime<Utc>> {
    at.checked_add_signed(TimeDelta::try_seconds(i64::try_from(seconds).ok()?)?)
}

fn first(by: Actor, proposal: &Proposal, digest: &str, at: DateTime<Utc>) -> Revision {
    let (proposal, digest) = (proposal.clone(), digest.to_owned());
    Revision { number: 1, cause: None, by, at, proposal, digest, changes: Vec::new() }
}

/// Takes an event of one of several checkpoints in.
pub fn apply(checkpoints: &mut Vec<Checkpoint>, event: &Event, at: DateTime<Utc>) {
    match event {
        Event::Requested(requested) => checkpoints.push(Checkpoint::requested(requested, at)),
        Event::AutoApproved(approved) => checkpoints.push(Checkpoint::auto_approved(approved, at)),
        other => {
            let id = other.checkpoint();
            if let Some(found) = checkpoints.iter_mut().find(|checkpoint| checkpoint.id == id) {
                found.apply(other, at);
            }
        }
    }
}
