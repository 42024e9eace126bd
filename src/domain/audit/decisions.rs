//! What of an execution's events belongs in the audit log: everything that people or rules decided.

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::{Action, Entry, Of, Origin, Part, digest_of};
use crate::domain::{
    access::Actor,
    checkpoint::{Checkpoint, Decided, Event as CheckpointEvent, Proposal, Reassessed, Reassessment, Revised, Verdict},
    execution::{Data, Event, State},
    id::{CheckpointId, ExecutionId, UserId, WorkspaceId},
    policy::{Contact, Requirement},
};

/// The longest value of a proposal that is in the log itself, in bytes.
const LONGEST_VALUE: usize = 4096;

/// Who caused the events of one change, where and when.
#[derive(Debug, Clone)]
pub struct Caused {
    pub workspace: WorkspaceId,
    pub execution: ExecutionId,
    pub actor: Actor,
    pub origin: Origin,
    pub at: DateTime<Utc>,
}

/// The entries for what one change did. `before` is the state on which it was decided.
pub fn of_events(before: Option<&State>, events: &[Event], caused: &Caused) -> Vec<Entry> {
    let mut entries = Vec::new();
    let events: Vec<&CheckpointEvent> = events
        .iter()
        .filter_map(|event| match event {
            Event::Checkpoint(event) => Some(event),
            _ => None,
        })
        .collect();
    for event in &events {
        let entry = match event {
            CheckpointEvent::Decided(decided) => Some(decision(before, decided, &events, caused)),
            // What somebody approves instead is part of their decision, and what an answer changes of the answer.
            CheckpointEvent::Revised(revised) => revision(before, revised, &events, caused),
            // The rule's author did not want it recorded. The execution's journal has it all the same.
            CheckpointEvent::AutoApproved(approved) if approved.notice.as_ref().is_some_and(|notice| !notice.log) => {
                None
            }
            CheckpointEvent::AutoApproved(approved) => {
                let details = json!({
                    "rule": approved.rule, "reasons": approved.reasons, "insteadOf": approved.instead_of,
                    "policy": approved.policy, "kind": approved.kind.as_str(),
                    "operationType": approved.proposal.operation_type, "requestedBy": shown(approved.by),
                });
                let digest = Some(approved.digest.clone());
                let entry = caused.entry(Action::CheckpointAutoApproved, approved.checkpoint, details);
                Some(Entry { digest, ..by_server(entry) })
            }
            CheckpointEvent::TimedOut { checkpoint, action } => {
                let entry = caused.entry(Action::CheckpointTimedOut, *checkpoint, json!({"then": action}));
                Some(Entry { digest: digest(before, *checkpoint), ..by_server(entry) })
            }
            CheckpointEvent::Escalated { checkpoint, to } => {
                // Addresses stay in the journal: here they could not be erased.
                let groups = to.iter().filter(|contact| matches!(contact, Contact::Group(_)));
                let groups: Vec<String> = groups.map(Contact::to_string).collect();
                let details = json!({"people": to.len() - groups.len(), "groups": groups});
                Some(by_server(caused.entry(Action::CheckpointEscalated, *checkpoint, details)))
            }
            CheckpointEvent::Cancelled { checkpoint, reason } => {
                Some(caused.entry(Action::CheckpointCancelled, *checkpoint, json!({"reason": reason})))
            }
            CheckpointEvent::Assigned { checkpoint, to } => {
                let before = before.and_then(|state| state.checkpoint(*checkpoint)).and_then(|found| found.assignee);
                let mut entry = caused.entry(Action::CheckpointAssigned, *checkpoint, json!({}));
                let person = |id: Option<uuid::Uuid>| json!({"assignee": id.map(|id| UserId(id).to_string())});
                entry.changing(person(before), person(*to));
                Some(entry)
            }
            CheckpointEvent::Delegated { checkpoint, from, to } => {
                let details = json!({"from": UserId(*from).to_string(), "to": UserId(*to).to_string()});
                Some(caused.entry(Action::CheckpointDelegated, *checkpoint, details))
            }
            CheckpointEvent::Commented { checkpoint, text, .. } => {
                Some(remark(caused.entry(Action::CheckpointCommented, *checkpoint, json!({})), text))
            }
            CheckpointEvent::Asked { checkpoint, text, question, .. } => {
                let details = json!({"question": question});
                let entry = remark(caused.entry(Action::CheckpointAsked, *checkpoint, details), text);
                Some(Entry { digest: digest(before, *checkpoint), ..entry })
            }
            CheckpointEvent::Answered { checkpoint, text, question, .. } => {
                let details = json!({"question": question});
                Some(remark(caused.entry(Action::CheckpointAnswered, *checkpoint, details), text))
            }
            CheckpointEvent::Overridden { checkpoint, reason, .. } => {
                let entry = remark(caused.entry(Action::AutoApprovalOverridden, *checkpoint, json!({})), reason);
                Some(Entry { digest: digest(before, *checkpoint), ..entry })
            }
            CheckpointEvent::Reassessed(reassessed) => Some(reassessment(before, reassessed, caused)),
            CheckpointEvent::Lapsed { checkpoint, decision, reason: Some(reason) } => {
                let details = json!({"decision": decision, "reason": reason});
                Some(by_server(caused.entry(Action::ApprovalLapsed, *checkpoint, details)))
            }
            CheckpointEvent::Requested(_)
            | CheckpointEvent::Lapsed { reason: None, .. }
            | CheckpointEvent::Approved { .. }
            | CheckpointEvent::Rejected { .. }
            | CheckpointEvent::Reminded { .. } => None,
        };
        entries.extend(entry);
    }
    entries
}

impl Caused {
    fn entry(&self, action: Action, checkpoint: uuid::Uuid, details: Value) -> Entry {
        Entry {
            workspace: self.workspace,
            at: self.at,
            actor: self.actor,
            origin: self.origin.clone(),
            on_behalf_of: None,
            action,
            subject: Some(CheckpointId(checkpoint).into()),
            execution: Some(self.execution),
            digest: None,
            details,
            before: None,
            after: None,
            personal: Vec::new(),
        }
    }
}

/// A rule or the time did it, whoever happened to call.
fn by_server(entry: Entry) -> Entry {
    Entry { actor: Actor::System, origin: Origin::default(), ..entry }
}

fn shown(actor: Actor) -> Option<String> {
    match actor {
        Actor::User(id) => Some(id.to_string()),
        Actor::ApiToken(id) => Some(id.to_string()),
        Actor::System => None,
    }
}

/// What somebody wrote.
fn remark(entry: Entry, text: &str) -> Entry {
    let mut entry = entry;
    entry.personal(Part::Details, Of::Actor, json!({"text": text}));
    entry
}

/// The digest of what there was to see.
fn digest(before: Option<&State>, checkpoint: uuid::Uuid) -> Option<String> {
    let found = before?.checkpoint(checkpoint)?;
    found.current().map(|revision| revision.digest.clone())
}

fn decision(before: Option<&State>, decided: &Decided, events: &[&CheckpointEvent], caused: &Caused) -> Entry {
    let id = decided.checkpoint;
    let action = match decided.verdict {
        Verdict::Approve => Action::CheckpointApproved,
        Verdict::Reject => Action::CheckpointRejected,
        Verdict::Answer => Action::ClarificationAnswered,
    };
    let ended = events.iter().find_map(|event| match event {
        CheckpointEvent::Approved { checkpoint } if *checkpoint == id => Some("APPROVED"),
        CheckpointEvent::Rejected { checkpoint, .. } if *checkpoint == id => Some("REJECTED"),
        _ => None,
    });
    let seen = digest(before, id).unwrap_or_else(|| decided.digest.clone());
    let mut details = json!({"decision": decided.decision, "outcome": ended.unwrap_or("PENDING"), "proposed": seen});
    if decided.verdict != Verdict::Reject {
        details["approved"] = decided.digest.clone().into();
    }
    let mut entry = caused.entry(action, id, details);
    entry.on_behalf_of = decided.on_behalf_of.map(UserId);
    entry.digest = Some(seen);
    if let Some(proposed) = before.and_then(|state| state.checkpoint(id)).and_then(Checkpoint::proposal) {
        entry.personal(Part::Proposed, Of::Nobody, in_short(proposed));
    }
    if let Some(revised) = revised(events, id) {
        let (before, after) = revisions(before, revised);
        entry.changing(before, after);
        entry.personal(Part::Approved, Of::Nobody, in_short(&revised.proposal));
    }
    let written = written(decided);
    if !written.is_empty() {
        entry.personal(Part::Details, Of::Actor, written.into());
    }
    entry
}

/// What whoever decided wrote.
pub(super) fn written(decided: &Decided) -> serde_json::Map<String, Value> {
    let mut written = serde_json::Map::new();
    if let Some(comment) = &decided.comment {
        written.insert("comment".to_owned(), comment.clone().into());
    }
    if let Some(answers) = &decided.answers {
        written.insert("answers".to_owned(), json!(answers));
    }
    written
}

/// What is proposed, as far as it is short. What is longer is in the journal, under the digest.
fn in_short(proposal: &Proposal) -> Value {
    let short = |data: &Data| match data {
        Data::Inline(json) if json.size() <= LONGEST_VALUE => json.to_value(),
        Data::Inline(json) => json!({"sha256": digest_of(json.text()), "bytes": json.size()}),
        Data::Stored { hash, bytes } => json!({"sha256": hash, "bytes": bytes}),
    };
    let mut value = json!({
        "operationType": proposal.operation_type,
        "riskLevel": proposal.risk_level.as_str(),
        "parameters": short(&proposal.parameters),
    });
    if let Some(items) = &proposal.items {
        value["items"] = short(items);
    }
    value
}

/// A revision that nobody's decision or answer explains.
fn revision(before: Option<&State>, revised: &Revised, events: &[&CheckpointEvent], caused: &Caused) -> Option<Entry> {
    let explained = events.iter().any(|event| match event {
        CheckpointEvent::Decided(decided) => decided.checkpoint == revised.checkpoint,
        _ => false,
    });
    if explained {
        return None;
    }
    let mut entry = caused.entry(Action::CheckpointRevised, revised.checkpoint, json!({}));
    let (before, after) = revisions(before, revised);
    entry.changing(before, after);
    Some(entry)
}

/// What is asked of people now, and was before. Addresses stay in the journal: here they could not be erased.
fn reassessment(before: Option<&State>, reassessed: &Reassessed, caused: &Caused) -> Entry {
    let shown = |requirement: &Requirement| json!({"rule": requirement.rule, "approvals": requirement.approvals()});
    let known = before.and_then(|state| state.checkpoint(reassessed.checkpoint)?.requirement.as_ref());
    let (action, by_hand) = match reassessed.why {
        Reassessment::Reassigned => (Action::CheckpointReassigned, true),
        Reassessment::Revised | Reassessment::PolicyChanged | Reassessment::PeopleChanged => {
            (Action::CheckpointReassessed, false)
        }
    };
    let details = json!({"why": reassessed.why.as_str(), "policy": reassessed.policy});
    let mut entry = caused.entry(action, reassessed.checkpoint, details);
    entry.changing(known.map_or(Value::Null, shown), shown(&reassessed.requirement));
    if by_hand { entry } else { by_server(entry) }
}

fn revised<'a>(events: &[&'a CheckpointEvent], checkpoint: uuid::Uuid) -> Option<&'a Revised> {
    events.iter().find_map(|event| match event {
        CheckpointEvent::Revised(revised) if revised.checkpoint == checkpoint => Some(&**revised),
        _ => None,
    })
}

fn revisions(before: Option<&State>, revised: &Revised) -> (Value, Value) {
    let shown = |number: u32, digest: &str| json!({"revision": number, "digest": digest});
    let current = before.and_then(|state| state.checkpoint(revised.checkpoint)).and_then(|found| found.current());
    let before = current.map_or(Value::Null, |current| shown(current.number, &current.digest));
    let mut after = shown(revised.number, &revised.digest);
    after["cause"] = revised.cause.as_str().into();
    (before, after)
}
