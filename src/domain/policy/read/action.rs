//! What a checkpoint rule does: whom it asks, until when, and who is told.

use serde_json::Value;

use super::{
    people::{MOST_SEATS, channels, contacts, read_approvers, read_quorum},
    values::{each, flag, seconds, word},
};
use crate::domain::{
    document::{Object, Place, ProblemCode, Problems},
    policy::requirement::{Approvers, Escalation, Excluded, Notification, OnTimeout, Requirement, Seat, Timeout, Who},
};

/// What a checkpoint rule does.
pub struct Action {
    /// Whether it approves by itself.
    pub auto_approve: bool,
    /// Whether that is written to the audit log.
    pub log: bool,
    /// What it asks for otherwise.
    pub requirement: Requirement,
}

/// Reads a rule's `action`.
pub fn read(object: &mut Object<'_>, rule: &str, problems: &mut Problems) -> Action {
    let mut requirement = Requirement { rule: Some(rule.to_owned()), ..Requirement::default() };
    let place = object.place("action");
    let opened = object.get("action").and_then(|value| Object::open(value, place, problems)).map(Object::strict);
    let Some(mut action) = opened else { return Action { auto_approve: false, log: true, requirement } };
    let auto_approve = flag(&mut action, "auto_approve", problems).unwrap_or(false);
    let log = flag(&mut action, "log_decision", problems).unwrap_or(true);
    let approvers = nested(&mut action, "approvers", problems, read_approvers);
    requirement.seats = read_seats(&mut action, approvers.as_ref(), problems);
    let names_everybody = requirement.seats.iter().all(|seat| seat.who != Who::Any);
    requirement.approvers =
        approvers.unwrap_or_else(|| if names_everybody { Approvers::nobody() } else { Approvers::default() });
    let excluded = [("requester", Excluded::Requester), ("agent_owner", Excluded::AgentOwner)];
    requirement.exclude = each(&mut action, "exclude", problems, |text| word(text, &excluded)).unwrap_or_default();
    requirement.separation_of_duties = flag(&mut action, "separation_of_duties", problems).unwrap_or(false);
    let after_seconds = seconds(&mut action, "timeout_seconds", problems);
    let then = read_on_timeout(&mut action, problems);
    requirement.timeout =
        after_seconds.map(|after_seconds| Timeout { after_seconds, then: then.unwrap_or(OnTimeout::Cancel) });
    requirement.escalation = read_escalation(&mut action, after_seconds, then, problems);
    requirement.reminder_seconds = seconds(&mut action, "reminder_seconds", problems);
    requirement.notification = nested(&mut action, "notification", problems, read_notification).unwrap_or_default();
    action.close(problems);
    Action { auto_approve, log, requirement }
}

fn nested<'a, T>(
    object: &mut Object<'a>,
    name: &'static str,
    problems: &mut Problems,
    read: impl FnOnce(&'a Value, Place, &mut Problems) -> Option<T>,
) -> Option<T> {
    let place = object.place(name);
    object.get(name).and_then(|value| read(value, place, problems))
}

fn read_seats(action: &mut Object<'_>, approvers: Option<&Approvers>, problems: &mut Problems) -> Vec<Seat> {
    let count = action.number("require_approval_count", 1..=MOST_SEATS.into(), problems);
    let quorum = read_quorum(action, problems);
    if count.is_some() && quorum.is_some() {
        let message = "`quorum` and `require_approval_count` both say how many must approve: give one of them";
        problems.add(action.place("quorum").problem(ProblemCode::InvalidValue, message));
    }
    let count = count.and_then(|count| u32::try_from(count).ok()).unwrap_or(1);
    let seats = quorum.unwrap_or_else(|| vec![Seat { count, who: Who::Any }]);
    let named = approvers.filter(|approvers| approvers.groups.is_empty() && approvers.roles.is_empty());
    let of_any = seats.iter().find(|seat| seat.who == Who::Any);
    if let (Some(named), Some(seat)) = (named, of_any)
        && !named.users.is_empty()
        && usize::try_from(seat.count).is_ok_and(|count| count > named.users.len())
    {
        let message = format!("{} must approve, but `approvers` names only {}", seat.count, named.users.len());
        problems.add(action.place("approvers").problem(ProblemCode::InvalidValue, message));
    }
    seats
}

/// What happens when time is over, even if it is not said when that is.
fn read_on_timeout(action: &mut Object<'_>, problems: &mut Problems) -> Option<OnTimeout> {
    let words = [
        ("cancel", OnTimeout::Cancel),
        ("reject", OnTimeout::Reject),
        ("approve", OnTimeout::Approve),
        ("escalate", OnTimeout::Escalate),
    ];
    let place = action.place("on_timeout");
    let text = action.text("on_timeout", problems)?;
    if action.get("timeout_seconds").is_none() {
        let message = "`on_timeout` needs `timeout_seconds`: without it, the checkpoint waits for ever";
        problems.add(place.problem(ProblemCode::InvalidValue, message));
    }
    let note = |message| problems.add(place.problem(ProblemCode::InvalidValue, message));
    word(text.trim(), &words).map_err(note).ok()
}

fn read_escalation(
    action: &mut Object<'_>,
    timeout_seconds: Option<u64>,
    then: Option<OnTimeout>,
    problems: &mut Problems,
) -> Option<Escalation> {
    let at_timeout = then == Some(OnTimeout::Escalate);
    let place = action.place("escalation");
    let Some(value) = action.get("escalation") else {
        if at_timeout {
            let message = "`on_timeout: escalate` needs `escalation.escalate_to`: nobody is named there";
            problems.add(action.place("on_timeout").problem(ProblemCode::InvalidValue, message));
        }
        return None;
    };
    let mut fields = Object::open(value, place, problems)?.strict();
    let enabled = flag(&mut fields, "enabled", problems).unwrap_or(true);
    let after_seconds = seconds(&mut fields, "after_seconds", problems);
    let to = contacts(&mut fields, "escalate_to", problems);
    if at_timeout && !enabled {
        let message = "`on_timeout: escalate` needs the escalation, which is not enabled";
        problems.add(fields.place("enabled").problem(ProblemCode::InvalidValue, message));
    }
    if enabled {
        fields.require("escalate_to", problems);
    }
    if enabled && !at_timeout {
        fields.require("after_seconds", problems);
    }
    if after_seconds.zip(timeout_seconds).is_some_and(|(after, timeout)| after >= timeout) {
        let message = "`after_seconds` must be less than `timeout_seconds`";
        problems.add(fields.place("after_seconds").problem(ProblemCode::InvalidValue, message));
    }
    fields.close(problems);
    enabled.then_some(Escalation { after_seconds, to: to.unwrap_or_default() })
}

fn read_notification(value: &Value, place: Place, problems: &mut Problems) -> Option<Notification> {
    let mut object = Object::open(value, place, problems)?.strict();
    let channels = channels(&mut object, "channels", problems);
    let recipients = contacts(&mut object, "recipients", problems);
    object.close(problems);
    Some(Notification { channels: channels.unwrap_or_default(), recipients: recipients.unwrap_or_default() })
}
