//! What an execution's journal and the audit log say about the same decisions must be the same.
//!
//! Both are written in one transaction. So each decision of the journal has its entry, each entry its decision, and they
//! agree on who decided what, when, and on which digest.

use std::collections::{HashMap, VecDeque};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

use super::Action;
use crate::domain::{
    access::Actor,
    checkpoint::{Cause, Checkpoint, Decided, Event, Reassessment, Revision, Status, Verdict, apply},
    id::{CheckpointId, UserId},
};

/// An entry of the audit log, as far as the journal knows of it.
#[derive(Debug, Clone)]
pub struct Told {
    pub sequence: i64,
    pub action: Action,
    pub checkpoint: Uuid,
    pub at: DateTime<Utc>,
    pub actor: Actor,
    pub on_behalf_of: Option<UserId>,
    pub digest: Option<String>,
    pub details: Value,
    pub after: Option<Value>,
    /// What the actor wrote, unless it has been erased.
    pub written: Option<Value>,
}

/// What the audit log must say of an event.
#[derive(Debug)]
struct Due {
    action: Action,
    checkpoint: Uuid,
    at: DateTime<Utc>,
    /// Each with its name, for what is told of differences. What is not known here is not compared.
    facts: Vec<(&'static str, Value)>,
}

/// The actions that have an event in the journal.
pub const ACTIONS: [Action; 12] = [
    Action::CheckpointApproved,
    Action::CheckpointRejected,
    Action::ClarificationAnswered,
    Action::CheckpointAutoApproved,
    Action::AutoApprovalOverridden,
    Action::CheckpointTimedOut,
    Action::CheckpointCancelled,
    Action::CheckpointRevised,
    Action::CheckpointDelegated,
    Action::CheckpointReassessed,
    Action::CheckpointReassigned,
    Action::ApprovalLapsed,
];

/// The checkpoints of an execution, as its journal adds up.
pub fn checkpoints(events: &[(DateTime<Utc>, &Event)]) -> Vec<Checkpoint> {
    let mut checkpoints = Vec::new();
    events.iter().for_each(|(at, event)| apply(&mut checkpoints, event, *at));
    checkpoints
}

/// Everything on which the journal of an execution contradicts itself or the audit log.
pub fn disagreements(events: &[(DateTime<Utc>, &Event)], told: Vec<Told>) -> Vec<String> {
    let mut problems = Vec::new();
    let mut entries: HashMap<(Uuid, Action), VecDeque<Told>> = HashMap::new();
    for one in told.into_iter().filter(|told| ACTIONS.contains(&told.action)) {
        entries.entry((one.checkpoint, one.action)).or_default().push_back(one);
    }
    for due in due(events, &mut problems) {
        let id = CheckpointId(due.checkpoint);
        let found = entries.get_mut(&(due.checkpoint, due.action)).and_then(VecDeque::pop_front);
        let Some(found) = found else {
            let (what, at) = (due.action.as_str(), due.at);
            problems.push(format!("{id}: the journal says `{what}` at {at}, and the audit log does not"));
            continue;
        };
        let here = found.facts();
        for (name, expected) in due.facts {
            if let Some(said) = here.get(name).filter(|said| **said != expected) {
                let sequence = found.sequence;
                problems.push(format!(
                    "{id}: entry {sequence} of the audit log has the {name} {said}, and the journal {expected}"
                ));
            }
        }
    }
    let mut left: Vec<Told> = entries.into_values().flatten().collect();
    left.sort_by_key(|told| told.sequence);
    for told in left {
        let (id, what, sequence) = (CheckpointId(told.checkpoint), told.action.as_str(), told.sequence);
        problems.push(format!("{id}: entry {sequence} of the audit log says `{what}`, and the journal does not"));
    }
    problems
}

impl Told {
    /// What the entry says, by the names of [`Due::facts`]. What entries of earlier versions do not say is absent.
    fn facts(&self) -> HashMap<&'static str, Value> {
        let mut facts = HashMap::from([
            ("time", json!(self.at.timestamp_micros())),
            ("actor", shown(self.actor)),
            ("person in whose place it was done", json!(self.on_behalf_of)),
            ("digest of what was seen", json!(self.digest)),
            ("written text", self.written.clone().unwrap_or(Value::Null)),
        ]);
        if self.written.is_none() {
            facts.remove("written text");
        }
        let mut known = |name, from: Option<&Value>| _ = from.map(|value| facts.insert(name, value.clone()));
        known("decision", self.details.get("decision"));
        known("outcome", self.details.get("outcome"));
        known("digest of what was proposed", self.details.get("proposed"));
        known("digest of what was approved", self.details.get("approved"));
        known("rule", self.details.get("rule"));
        known("action", self.details.get("then"));
        known("digest of the revision", self.after.as_ref().and_then(|after| after.get("digest")));
        facts
    }
}

fn shown(actor: Actor) -> Value {
    match actor {
        Actor::User(id) => id.to_string().into(),
        Actor::ApiToken(id) => id.to_string().into(),
        Actor::System => "SYSTEM".into(),
    }
}

/// What the audit log must say of an execution's events, in their order.
fn due(events: &[(DateTime<Utc>, &Event)], problems: &mut Vec<String>) -> Vec<Due> {
    let mut checkpoints: Vec<Checkpoint> = Vec::new();
    let mut due = Vec::new();
    for (number, (at, event)) in events.iter().enumerate() {
        let id = event.checkpoint();
        let known = checkpoints.iter().find(|checkpoint| checkpoint.id == id);
        let begins = matches!(event, Event::Requested(_) | Event::AutoApproved(_));
        if begins == known.is_some() {
            let (kind, id) = (event.kind(), CheckpointId(id));
            problems.push(format!("{id}: the journal has `{kind}` where it cannot be"));
        }
        problems.extend(known.and_then(|known| contradiction(known, event)));
        let commit = Commit { events, number, at: *at, checkpoint: id };
        due.extend(commit.facts(event, known).map(|(action, mut facts)| {
            facts.push(("time", json!(at.timestamp_micros())));
            Due { action, checkpoint: id, at: *at, facts }
        }));
        apply(&mut checkpoints, event, *at);
    }
    due
}

/// What in an event does not follow from what was before it.
fn contradiction(before: &Checkpoint, event: &Event) -> Option<String> {
    let (id, current) = (CheckpointId(before.id), before.current()?);
    let last = before.live_decisions().last().map(|decision| &decision.made);
    let said = match event {
        Event::Decided(made) if (made.revision, &made.digest) != (current.number, &current.digest) => {
            return Some(format!(
                "{id}: a decision is about revision {} with the digest {}, but the journal has revision {} with {}",
                made.revision, made.digest, current.number, current.digest
            ));
        }
        Event::Revised(revised) if revised.number != current.number + 1 => {
            return Some(format!("{id}: revision {} follows revision {}", revised.number, current.number));
        }
        Event::Approved { .. } => last.is_some_and(|last| last.verdict != Verdict::Reject),
        Event::Rejected { reason, .. } => last.is_some_and(|last| {
            last.verdict == Verdict::Reject && last.comment.as_deref().unwrap_or_default() == reason
        }),
        _ => return None,
    };
    (!said || before.status != Status::Pending)
        .then(|| format!("{id}: the journal says `{}`, but no decision before it does", event.kind()))
}

/// What happened to a checkpoint at the time of one event.
struct Commit<'a> {
    events: &'a [(DateTime<Utc>, &'a Event)],
    number: usize,
    at: DateTime<Utc>,
    checkpoint: Uuid,
}

/// Whether a revision is what somebody approved instead.
fn is_by_decision(cause: Option<Cause>) -> bool {
    matches!(cause, Some(Cause::Modified | Cause::Selected))
}

type Facts = Vec<(&'static str, Value)>;

impl Commit<'_> {
    fn events(&self) -> impl Iterator<Item = &Event> {
        let own = self.events.iter().filter(|(at, event)| *at == self.at && event.checkpoint() == self.checkpoint);
        own.map(|(_, event)| *event)
    }

    /// The event of the checkpoint that follows at once.
    fn next(&self) -> Option<&Event> {
        let later = self.events.get(self.number + 1..).unwrap_or_default();
        let next = later.iter().find(|(_, event)| event.checkpoint() == self.checkpoint);
        next.filter(|(at, _)| *at == self.at).map(|(_, event)| *event)
    }

    /// What an entry about an event says, if there is one.
    fn facts(&self, event: &Event, before: Option<&Checkpoint>) -> Option<(Action, Facts)> {
        let current = before.and_then(Checkpoint::current);
        let seen = ("digest of what was seen", json!(current.map(|revision| &revision.digest)));
        Some(match event {
            Event::Decided(made) => {
                let action = match made.verdict {
                    Verdict::Approve => Action::CheckpointApproved,
                    Verdict::Reject => Action::CheckpointRejected,
                    Verdict::Answer => Action::ClarificationAnswered,
                };
                (action, self.facts_of_decision(made, before))
            }
            // What somebody approves instead is part of their decision.
            Event::Revised(revised)
                if is_by_decision(Some(revised.cause))
                    && self.events().any(|event| matches!(event, Event::Decided(_))) =>
            {
                return None;
            }
            Event::Revised(revised) => {
                let facts = vec![("actor", shown(revised.by)), ("digest of the revision", json!(revised.digest))];
                (Action::CheckpointRevised, facts)
            }
            Event::AutoApproved(approved) if approved.notice.as_ref().is_some_and(|notice| !notice.log) => return None,
            Event::AutoApproved(approved) => {
                let facts = vec![("digest of what was seen", json!(approved.digest)), ("rule", json!(approved.rule))];
                (Action::CheckpointAutoApproved, facts)
            }
            Event::TimedOut { action, .. } => (Action::CheckpointTimedOut, vec![seen, ("action", json!(action))]),
            Event::Overridden { by, .. } => (Action::AutoApprovalOverridden, vec![seen, ("actor", shown(*by))]),
            Event::Cancelled { .. } => (Action::CheckpointCancelled, Vec::new()),
            Event::Delegated { .. } => (Action::CheckpointDelegated, Vec::new()),
            Event::Reassessed(reassessed) => {
                let action = match reassessed.why {
                    Reassessment::Reassigned => Action::CheckpointReassigned,
                    Reassessment::Revised | Reassessment::PolicyChanged | Reassessment::PeopleChanged => {
                        Action::CheckpointReassessed
                    }
                };
                (action, Vec::new())
            }
            Event::Lapsed { reason: Some(_), .. } => (Action::ApprovalLapsed, Vec::new()),
            Event::Requested(_)
            | Event::Lapsed { reason: None, .. }
            | Event::Approved { .. }
            | Event::Rejected { .. }
            | Event::Escalated { .. }
            | Event::Reminded { .. }
            | Event::Assigned { .. }
            | Event::Commented { .. }
            | Event::Asked { .. }
            | Event::Answered { .. } => return None,
        })
    }

    fn facts_of_decision(&self, made: &Decided, before: Option<&Checkpoint>) -> Facts {
        let outcome = match self.next() {
            Some(Event::Approved { .. }) => "APPROVED",
            Some(Event::Rejected { .. }) => "REJECTED",
            _ => "PENDING",
        };
        // Whoever approved something else saw the revision before their own.
        let revisions = before.map(|before| before.revisions.as_slice()).unwrap_or_default();
        let own =
            |revision: &&Revision| is_by_decision(revision.cause) && revision.at == self.at && revision.by == made.by;
        let changed = revisions.last().is_some_and(|last| own(&last));
        let seen = revisions.iter().rev().find(|revision| !own(revision)).map(|revision| &revision.digest);
        let mut facts = vec![
            ("actor", shown(made.by)),
            ("person in whose place it was done", json!(made.on_behalf_of.map(UserId))),
            ("decision", json!(made.decision)),
            ("outcome", json!(outcome)),
            ("digest of what was seen", json!(seen)),
            ("digest of what was proposed", json!(seen)),
        ];
        if made.verdict != Verdict::Reject {
            facts.push(("digest of what was approved", json!(made.digest)));
        }
        if changed {
            facts.push(("digest of the revision", json!(made.digest)));
        }
        let written = super::decisions::written(made);
        if !written.is_empty() {
            facts.push(("written text", written.into()));
        }
        facts
    }
}
