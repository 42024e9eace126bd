//! What can be done to a checkpoint, and what happens then.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{
    difference::Change,
    event::{Decided, Event, Revised},
    proposal::Proposal,
    state::Checkpoint,
    words::{Cause, Kind, Status, Verdict},
};
use crate::domain::{
    access::Actor,
    execution::Data,
    policy::{self, Contact, OnTimeout},
    refusal::{Code, Refusal},
};

/// Something that is done to a checkpoint that waits.
#[derive(Debug, Clone)]
pub enum Command {
    Decide(Box<Decide>),
    /// Whoever is behind the proposal proposes something else.
    Revise {
        by: Actor,
        proposal: Box<Proposal>,
        digest: String,
    },
    /// Somebody takes it, or gives it to somebody; nobody gives it back.
    Assign {
        to: Option<Uuid>,
    },
    Delegate {
        from: Uuid,
        to: Uuid,
    },
    Comment {
        id: Uuid,
        by: Actor,
        text: String,
    },
    Ask {
        id: Uuid,
        by: Actor,
        text: String,
    },
    /// The answer is part of the proposal from then on.
    Answer {
        question: Uuid,
        by: Actor,
        text: String,
        proposal: Box<Proposal>,
        digest: String,
    },
    /// Somebody would not have approved what a rule did. The only thing that can still be done afterwards.
    Override {
        by: Actor,
        person: Uuid,
        reason: String,
    },
}

/// One person's answer.
#[derive(Debug, Clone)]
pub struct Decide {
    pub id: Uuid,
    pub by: Actor,
    /// Whose answer it counts as.
    pub person: Uuid,
    pub on_behalf_of: Option<Uuid>,
    pub verdict: Verdict,
    /// Of what the person saw.
    pub digest: String,
    /// Which of the seats of the quorum it can fill.
    pub seats: Vec<usize>,
    pub comment: Option<String>,
    pub answers: Option<Data>,
    /// What is approved instead of what was proposed: made from the revision with the digest.
    pub instead: Option<Instead>,
}

/// What somebody approves instead.
#[derive(Debug, Clone)]
pub struct Instead {
    pub cause: Cause,
    pub proposal: Proposal,
    pub digest: String,
    /// What differs, in short.
    pub changes: Vec<Change>,
}

/// The events that a command causes, or why it is refused. What follows for the execution is not among them.
pub fn decide(checkpoint: &Checkpoint, command: Command) -> Result<Vec<Event>, Refusal> {
    let id = checkpoint.id;
    if let Command::Override { by, person, reason } = command {
        may_override(checkpoint)?;
        return Ok(vec![Event::Overridden { checkpoint: id, by, person, reason }]);
    }
    must_wait(checkpoint)?;
    match command {
        Command::Decide(made) => decide_on(checkpoint, *made),
        Command::Revise { by, proposal, digest } => {
            let instead = Instead { cause: Cause::Revised, proposal: *proposal, digest, changes: Vec::new() };
            Ok(revise(checkpoint, by, instead))
        }
        Command::Assign { to } if checkpoint.assignee == to => Ok(Vec::new()),
        Command::Assign { to } => Ok(vec![Event::Assigned { checkpoint: id, to }]),
        Command::Delegate { from, to } if checkpoint.delegations.contains(&(from, to)) => Ok(Vec::new()),
        Command::Delegate { from, to } => Ok(vec![Event::Delegated { checkpoint: id, from, to }]),
        Command::Comment { id: comment, by, text } => Ok(vec![Event::Commented { checkpoint: id, comment, by, text }]),
        Command::Ask { id: question, by, text } => Ok(vec![Event::Asked { checkpoint: id, question, by, text }]),
        Command::Answer { question, by, text, proposal, digest } => {
            let asked = checkpoint.questions.iter().find(|asked| asked.question.id == question);
            let Some(asked) = asked else {
                return Err(Refusal::new(Code::NotFound, "nobody asked this question about the checkpoint"));
            };
            if asked.answer.is_some() {
                return Err(Refusal::new(Code::AlreadyDecided, "the question has been answered already"));
            }
            let mut events = vec![Event::Answered { checkpoint: id, question, by, text }];
            let instead = Instead { cause: Cause::Answered, proposal: *proposal, digest, changes: Vec::new() };
            events.extend(revise(checkpoint, by, instead));
            Ok(events)
        }
        Command::Override { .. } => Ok(Vec::new()),
    }
}

/// Only what a rule approved can be overridden, and once.
fn may_override(checkpoint: &Checkpoint) -> Result<(), Refusal> {
    if checkpoint.status != Status::AutoApproved {
        let message = format!("the checkpoint is {}: only what a rule approved can be overridden", checkpoint.status);
        return Err(Refusal::new(Code::Conflict, message));
    }
    if checkpoint.overridden.is_some() {
        return Err(Refusal::new(Code::AlreadyDecided, "the approval has been overridden already"));
    }
    Ok(())
}

/// Refuses what comes too late, and says what happened before.
fn must_wait(checkpoint: &Checkpoint) -> Result<(), Refusal> {
    let refuse = |code, message: String| Err(Refusal::new(code, message));
    let because = checkpoint.reason.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
    match checkpoint.status {
        Status::Pending => Ok(()),
        Status::Approved => refuse(Code::AlreadyDecided, "the checkpoint has been approved already".to_owned()),
        Status::Rejected => refuse(Code::AlreadyDecided, format!("the checkpoint has been rejected already{because}")),
        Status::AutoApproved => {
            refuse(Code::AlreadyDecided, "a rule has approved the checkpoint: nobody was asked".to_owned())
        }
        Status::TimedOut => refuse(Code::Expired, "nobody decided in time: the checkpoint is TIMED_OUT".to_owned()),
        Status::Cancelled => {
            refuse(Code::Expired, format!("nobody needs the decision any more: the checkpoint is CANCELLED{because}"))
        }
    }
}

fn decide_on(checkpoint: &Checkpoint, decide: Decide) -> Result<Vec<Event>, Refusal> {
    let Some(current) = checkpoint.current() else {
        return Err(Refusal::new(Code::NotFound, "the checkpoint has no proposal"));
    };
    match (checkpoint.kind, decide.verdict) {
        (Kind::Clarification, Verdict::Approve) => {
            return Err(Refusal::new(Code::Conflict, "the checkpoint asks questions: answer them, or reject it"));
        }
        (Kind::Step | Kind::External, Verdict::Answer) => {
            return Err(Refusal::new(Code::Conflict, "the checkpoint asks no questions: approve or reject it"));
        }
        (Kind::Clarification, Verdict::Answer | Verdict::Reject)
        | (Kind::Step | Kind::External, Verdict::Approve | Verdict::Reject) => {}
    }
    if decide.digest != current.digest {
        let message = format!(
            "what you decided on has changed: the checkpoint is at revision {} with the digest `{}`, look at that",
            current.number, current.digest
        );
        return Err(Refusal::at("digest", Code::Stale, message));
    }
    let people = [Some(decide.person), decide.on_behalf_of];
    let twice = checkpoint.live_decisions().any(|decision| {
        let made = [Some(decision.made.person), decision.made.on_behalf_of];
        made.into_iter().flatten().any(|person| people.contains(&Some(person)))
    });
    // The same parameters again are no change: nobody may count twice by them.
    let instead = decide.instead.filter(|instead| instead.digest != current.digest);
    if twice && decide.verdict == Verdict::Approve && instead.is_none() {
        return Err(Refusal::new(Code::AlreadyDecided, "you have approved this already: others must, too"));
    }
    let mut events = Vec::new();
    let (mut revision, mut digest) = (current.number, current.digest.clone());
    let mut seats: Vec<Vec<usize>> = checkpoint.live_decisions().map(|decision| decision.made.seats.clone()).collect();
    if let Some(instead) = instead {
        (revision, digest) = (current.number + 1, instead.digest.clone());
        events.extend(revise(checkpoint, decide.by, instead));
        // What others approved was something else.
        seats.clear();
    }
    seats.push(decide.seats.clone());
    let reason = decide.comment.clone().unwrap_or_default();
    events.push(Event::Decided(Box::new(Decided {
        checkpoint: checkpoint.id,
        decision: decide.id,
        by: decide.by,
        person: decide.person,
        on_behalf_of: decide.on_behalf_of,
        verdict: decide.verdict,
        revision,
        digest,
        seats: decide.seats,
        comment: decide.comment,
        answers: decide.answers,
    })));
    match decide.verdict {
        Verdict::Reject => events.push(Event::Rejected { checkpoint: checkpoint.id, reason }),
        Verdict::Answer => events.push(Event::Approved { checkpoint: checkpoint.id }),
        Verdict::Approve => {
            let required = checkpoint.requirement.as_ref().map(|requirement| requirement.seats.as_slice());
            if policy::missing(required.unwrap_or_default(), &seats).is_empty() {
                events.push(Event::Approved { checkpoint: checkpoint.id });
            }
        }
    }
    Ok(events)
}

/// The next revision. Whoever decided on an earlier one has to look again.
fn revise(checkpoint: &Checkpoint, by: Actor, instead: Instead) -> Vec<Event> {
    let number = checkpoint.current().map_or(1, |current| current.number + 1);
    let revised = Revised {
        checkpoint: checkpoint.id,
        number,
        cause: instead.cause,
        by,
        proposal: instead.proposal,
        digest: instead.digest,
        changes: instead.changes,
    };
    let lapsed = checkpoint.live_decisions();
    let lapsed = lapsed.map(|decision| Event::Lapsed { checkpoint: checkpoint.id, decision: decision.made.decision });
    std::iter::once(Event::Revised(Box::new(revised))).chain(lapsed).collect()
}

/// What has fallen due by now. While approvals without people are stopped, silence is no consent: people are waited for.
pub fn wake(checkpoint: &Checkpoint, stopped: bool, now: DateTime<Utc>) -> Vec<Event> {
    let due = |at: Option<DateTime<Utc>>| at.is_some_and(|at| at <= now);
    let Some(requirement) = checkpoint.requirement.as_ref().filter(|_| checkpoint.is_pending()) else {
        return Vec::new();
    };
    let id = checkpoint.id;
    let others = || {
        let escalation = requirement.escalation.iter();
        escalation.flat_map(|escalation| escalation.to.clone()).collect()
    };
    if let Some(action) = requirement.timeout.map(|timeout| timeout.then).filter(|_| due(checkpoint.deadline)) {
        let action = if stopped && action == OnTimeout::Approve { OnTimeout::Escalate } else { action };
        let mut events = vec![Event::TimedOut { checkpoint: id, action }];
        let others: Vec<Contact> = others();
        if action == OnTimeout::Escalate && checkpoint.escalated_at.is_none() && !others.is_empty() {
            events.push(Event::Escalated { checkpoint: id, to: others });
        }
        return events;
    }
    let mut events = Vec::new();
    if due(checkpoint.escalate_at) {
        events.push(Event::Escalated { checkpoint: id, to: others() });
    }
    if due(checkpoint.remind_at) {
        events.push(Event::Reminded { checkpoint: id, number: checkpoint.reminders + 1 });
    }
    events
}
