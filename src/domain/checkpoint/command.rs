//! What can be done to a checkpoint, and what happens then.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::{
    difference::Change,
    event::{Decided, Event, Reassessed, Revised, Seated},
    proposal::Proposal,
    state::Checkpoint,
    words::{Cause, Kind, Reassessment, Status, Verdict},
};
use crate::domain::{
    access::Actor,
    execution::Data,
    policy::{Contact, OnTimeout, Requirement},
    refusal::{Code, Refusal},
};

/// Something that is done to a checkpoint that waits.
#[derive(Debug, Clone)]
pub enum Command {
    Decide(Box<Decide>),
    /// Something else is proposed, by whoever is behind the proposal or because its agent has a newer version.
    Revise {
        by: Actor,
        instead: Box<Instead>,
    },
    /// What is asked of people is looked at again.
    Reassess(Box<Reassess>),
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
        instead: Box<Instead>,
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
    /// Whether the person may approve what they want instead. If not, others must.
    pub counts: bool,
}

/// What somebody wants instead.
#[derive(Debug, Clone)]
pub struct Instead {
    pub cause: Cause,
    pub proposal: Proposal,
    pub digest: String,
    /// What differs, in short.
    pub changes: Vec<Change>,
    /// What the policy asks for about that.
    pub assessed: Assessed,
}

/// What is asked of people, by the policy that is in force.
#[derive(Debug, Clone)]
pub struct Assessed {
    pub requirement: Requirement,
    pub policy: Option<i32>,
}

/// What is asked of people from now on, and which decisions still count.
#[derive(Debug, Clone)]
pub struct Reassess {
    pub why: Reassessment,
    pub by: Actor,
    pub assessed: Assessed,
    /// The seats that earlier decisions can fill now.
    pub seated: Vec<Seated>,
    /// Decisions that count no longer, each with the reason.
    pub lapsed: Vec<(Uuid, String)>,
}

/// How often something can be said about one checkpoint, and how often something else can be proposed.
const MOST_REMARKS: usize = 1_000;
const MOST_REVISIONS: usize = 1_000;

/// Everything that is said and proposed stays part of the checkpoint, so it has an end.
fn check_room(checkpoint: &Checkpoint, command: &Command) -> Result<(), Refusal> {
    let full = |what: &str, most: usize| {
        let message = format!("the checkpoint has {most} {what}, which is the limit: decide it, or ask anew");
        Err(Refusal::new(Code::LimitReached, message))
    };
    match command {
        Command::Comment { .. } | Command::Ask { .. } => {
            let said = checkpoint.comments.len() + checkpoint.questions.len();
            if said >= MOST_REMARKS { full("comments and questions", MOST_REMARKS) } else { Ok(()) }
        }
        Command::Revise { .. } if checkpoint.revisions.len() >= MOST_REVISIONS => full("revisions", MOST_REVISIONS),
        _ => Ok(()),
    }
}

/// The events that a command causes, or why it is refused. What follows for the execution is not among them.
pub fn decide(checkpoint: &Checkpoint, command: Command) -> Result<Vec<Event>, Refusal> {
    let id = checkpoint.id;
    if let Command::Override { by, person, reason } = command {
        may_override(checkpoint)?;
        return Ok(vec![Event::Overridden { checkpoint: id, by, person, reason }]);
    }
    must_wait(checkpoint)?;
    check_room(checkpoint, &command)?;
    match command {
        Command::Decide(made) => decide_on(checkpoint, *made),
        Command::Revise { by, instead } => Ok(revise(checkpoint, by, *instead)),
        Command::Reassess(reassess) => Ok(reassessed(checkpoint, *reassess)),
        Command::Assign { to } if checkpoint.assignee == to => Ok(Vec::new()),
        Command::Assign { to } => Ok(vec![Event::Assigned { checkpoint: id, to }]),
        Command::Delegate { from, to } if checkpoint.delegations.contains(&(from, to)) => Ok(Vec::new()),
        Command::Delegate { from, to } => Ok(vec![Event::Delegated { checkpoint: id, from, to }]),
        Command::Comment { id: comment, by, text } => Ok(vec![Event::Commented { checkpoint: id, comment, by, text }]),
        Command::Ask { id: question, by, text } => Ok(vec![Event::Asked { checkpoint: id, question, by, text }]),
        Command::Answer { question, by, text, instead } => {
            let asked = checkpoint.questions.iter().find(|asked| asked.question.id == question);
            let Some(asked) = asked else {
                return Err(Refusal::new(Code::NotFound, "nobody asked this question about the checkpoint"));
            };
            if asked.answer.is_some() {
                return Err(Refusal::new(Code::AlreadyDecided, "the question has been answered already"));
            }
            let mut events = vec![Event::Answered { checkpoint: id, question, by, text }];
            events.extend(revise(checkpoint, by, *instead));
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
    let mut required = checkpoint.requirement.clone();
    if let Some(instead) = instead {
        (revision, digest) = (current.number + 1, instead.digest.clone());
        required = Some(instead.assessed.requirement.clone());
        events.extend(revise(checkpoint, decide.by, instead));
        // What others approved was something else.
        seats.clear();
        // A change of what is done is no approval by someone who may not approve that.
        if !decide.counts {
            return Ok(events);
        }
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
            if required.is_none_or(|requirement| requirement.missing(&seats).is_empty()) {
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
    let lapsed = checkpoint.live_decisions().map(|decision| decision.made.decision);
    let lapsed = lapsed.map(|decision| Event::Lapsed { checkpoint: checkpoint.id, decision, reason: None });
    let reassess = Reassess {
        why: Reassessment::Revised,
        by: Actor::System,
        assessed: instead.assessed,
        seated: Vec::new(),
        lapsed: Vec::new(),
    };
    let reassessed = reassessed(checkpoint, reassess);
    std::iter::once(Event::Revised(Box::new(revised))).chain(lapsed).chain(reassessed).collect()
}

/// Nothing happens where nothing else is asked than before.
fn reassessed(checkpoint: &Checkpoint, reassess: Reassess) -> Vec<Event> {
    let Reassess { why, by, assessed: Assessed { requirement, policy }, seated, lapsed } = reassess;
    let id = checkpoint.id;
    let same = checkpoint.requirement.as_ref().is_some_and(|before| before.asks_the_same(&requirement));
    let sits = |seated: &Seated| {
        let mut made = checkpoint.live_decisions().map(|decision| &decision.made);
        made.any(|made| made.decision == seated.decision && made.seats == seated.seats)
    };
    let mut events: Vec<Event> = Vec::new();
    if !same || !seated.iter().all(sits) {
        let reassessed = Reassessed { checkpoint: id, why, by, requirement, policy, seated };
        events.push(Event::Reassessed(Box::new(reassessed)));
    }
    events.extend(lapsed.into_iter().map(|(decision, why)| Event::Lapsed {
        checkpoint: id,
        decision,
        reason: Some(why),
    }));
    events
}

/// What has fallen due by now. Where silence is no consent, people are waited for.
pub fn wake(checkpoint: &Checkpoint, consent: bool, now: DateTime<Utc>) -> Vec<Event> {
    let due = |at: Option<DateTime<Utc>>| at.is_some_and(|at| at <= now);
    let Some(requirement) = checkpoint.requirement.as_ref().filter(|_| checkpoint.is_pending()) else {
        return Vec::new();
    };
    let id = checkpoint.id;
    let others = || requirement.stand_ins().collect();
    if let Some(action) = requirement.timeout.map(|timeout| timeout.then).filter(|_| due(checkpoint.deadline)) {
        let action = if action == OnTimeout::Approve && !consent { OnTimeout::Escalate } else { action };
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
