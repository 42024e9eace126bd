//! What can be learned from how a checkpoint ended.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{
    difference::Change,
    state::Checkpoint,
    words::{Cause, Kind, Status, Verdict},
};
use crate::domain::words::words;

words! {
    /// How people did not want what was proposed.
    LessonKind {
        /// They approved other parameters.
        Modified = "MODIFIED",
        /// They approved only some of the items.
        Narrowed = "NARROWED",
        /// They rejected it.
        Rejected = "REJECTED",
        /// A rule approved it, and somebody would not have.
        Overridden = "OVERRIDDEN",
    }
}

/// People did not want what was proposed.
#[derive(Debug, Clone, PartialEq)]
pub struct Lesson {
    pub kind: LessonKind,
    pub at: DateTime<Utc>,
    pub person: Uuid,
    pub reason: Option<String>,
    /// What they changed, in short.
    pub changes: Vec<Change>,
    /// The revision that the agent proposed.
    pub proposed: u32,
    /// The one that was decided on.
    pub decided: u32,
}

impl Lesson {
    /// What a checkpoint that has ended teaches, if people wanted something else.
    pub fn of(checkpoint: &Checkpoint) -> Option<Self> {
        if checkpoint.kind == Kind::Clarification {
            return None;
        }
        let decided = checkpoint.current()?.number;
        let proposed = checkpoint.revisions.iter().rev().find(|revision| is_proposed(revision.cause))?.number;
        if let Some(overridden) = &checkpoint.overridden {
            return Some(Self {
                kind: LessonKind::Overridden,
                at: overridden.at,
                person: overridden.person,
                reason: Some(overridden.reason.clone()),
                changes: Vec::new(),
                proposed,
                decided,
            });
        }
        let last = checkpoint.live_decisions().last()?;
        let theirs = checkpoint.revisions.iter().filter(|revision| revision.number > proposed);
        let kind = match (checkpoint.status, last.made.verdict) {
            (Status::Rejected, Verdict::Reject) => LessonKind::Rejected,
            (Status::Approved, _) if theirs.clone().any(|revision| revision.cause == Some(Cause::Modified)) => {
                LessonKind::Modified
            }
            (Status::Approved, _) if changed_by_people(checkpoint) => LessonKind::Narrowed,
            _ => return None,
        };
        let said = |made: &str| Some(made.to_owned()).filter(|text| !text.is_empty());
        let comments = checkpoint.live_decisions().filter_map(|decision| decision.made.comment.as_deref());
        let reason = checkpoint.reason.as_deref().and_then(said).or_else(|| comments.last().and_then(said));
        Some(Self {
            kind,
            at: checkpoint.resolved_at?,
            person: last.made.person,
            reason,
            changes: merged(theirs.flat_map(|revision| &revision.changes)),
            proposed,
            decided,
        })
    }
}

/// Of several changes of one field, the whole way.
fn merged<'a>(changes: impl Iterator<Item = &'a Change>) -> Vec<Change> {
    let mut whole: Vec<Change> = Vec::new();
    for change in changes {
        match whole.iter_mut().find(|known| known.path == change.path) {
            Some(known) => known.after = change.after.clone(),
            None => whole.push(change.clone()),
        }
    }
    whole.retain(|change| change.before != change.after);
    whole
}

/// Whether an agent proposed a revision. An answer to a question changes nothing that is done.
fn is_proposed(cause: Option<Cause>) -> bool {
    matches!(cause, None | Some(Cause::Revised))
}

/// Whether people changed what was proposed last.
pub fn changed_by_people(checkpoint: &Checkpoint) -> bool {
    let causes = checkpoint.revisions.iter().rev().map(|revision| revision.cause);
    let mut since = causes.take_while(|cause| !is_proposed(*cause));
    since.any(|cause| matches!(cause, Some(Cause::Modified | Cause::Selected)))
}

/// Whether people approved something else than was proposed.
pub fn is_modified(checkpoint: &Checkpoint) -> bool {
    checkpoint.status == Status::Approved && changed_by_people(checkpoint)
}

/// Whether people agreed with a rule that would have approved, or did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    pub rule: String,
    pub fingerprint: String,
    pub agreed: bool,
    pub at: DateTime<Utc>,
}

impl Evidence {
    /// What a checkpoint says about rules, once people have decided.
    pub fn of(checkpoint: &Checkpoint) -> Vec<Self> {
        if let (Some(overridden), Some(rule), Some(fingerprint)) =
            (&checkpoint.overridden, &checkpoint.auto_approved_by, &checkpoint.fingerprint)
        {
            let (rule, fingerprint) = (rule.clone(), fingerprint.clone());
            return vec![Self { rule, fingerprint, agreed: false, at: overridden.at }];
        }
        // Silence says nothing.
        let decided = checkpoint.live_decisions().next().is_some();
        let agreed = match checkpoint.status {
            Status::Approved if decided => !is_modified(checkpoint),
            Status::Rejected if decided => false,
            _ => return Vec::new(),
        };
        let (Some(at), Some(requirement)) = (checkpoint.resolved_at, &checkpoint.requirement) else {
            return Vec::new();
        };
        let watched = requirement.watched.iter();
        watched
            .map(|watched| Self { rule: watched.rule.clone(), fingerprint: watched.fingerprint.clone(), agreed, at })
            .collect()
    }
}
