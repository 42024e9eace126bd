//! Two answers of the policy to one checkpoint become one that is at least as strict as both.
//!
//! A proposal is judged again when it is revised and when the policy has changed. What people were asked for before
//! never becomes less by that.

use super::requirement::{Approvers, Escalation, Notification, OnTimeout, Part, Requirement, Seat, Timeout, Who};
use crate::domain::workflow::Gate;

impl Requirement {
    /// What meets this requirement and another one. Both are met by whoever meets the result.
    pub fn and(&self, other: &Requirement) -> Requirement {
        let replaced = |part: &Part| {
            let mut known = self.replaced.iter();
            known.any(|known| known.seats == part.seats && known.approvers == part.approvers)
        };
        let asked = other.parts().into_iter().filter(|part| !replaced(part)).collect();
        let parts = merge(self.parts(), asked);
        let escalates = parts.iter().any(|part| !part.stand_ins.is_empty());
        let mut parts = parts.into_iter();
        let (rule, seats, approvers, to) = match parts.next() {
            Some(Part { rule, seats, approvers, stand_ins }) => (rule, seats, approvers, stand_ins),
            None => (self.rule.clone(), Vec::new(), self.approvers.clone(), Vec::new()),
        };
        let after_seconds = [self, other].iter().filter_map(|it| it.escalation.as_ref()?.after_seconds).min();
        let escalation = escalates.then_some(Escalation { after_seconds, to });
        let mut reasons = self.reasons.clone();
        reasons.extend(other.reasons.iter().filter(|reason| !self.reasons.contains(reason)).cloned());
        let mut exclude = self.exclude.clone();
        exclude.extend(other.exclude.iter().filter(|it| !self.exclude.contains(it)));
        let mut watched = self.watched.clone();
        watched.extend(other.watched.iter().filter(|it| !self.watched.contains(it)).cloned());
        Requirement {
            rule,
            reasons,
            seats,
            approvers,
            exclude,
            separation_of_duties: self.separation_of_duties || other.separation_of_duties,
            timeout: timeout(self.timeout, other.timeout),
            escalation,
            reminder_seconds: [self, other].iter().filter_map(|it| it.reminder_seconds).min(),
            notification: notification(&self.notification, &other.notification),
            watched,
            also: parts.collect(),
            replaced: self.replaced.clone(),
        }
    }

    /// The same with other people in place of those who cannot meet it any more.
    pub fn given_to(&self, approvers: Approvers, count: u32) -> Requirement {
        let replaced = self.replaced.iter().cloned().chain(self.parts()).collect();
        let seats = vec![Seat { count, who: Who::Any }];
        Requirement { seats, approvers, escalation: None, also: Vec::new(), replaced, ..self.clone() }
    }

    /// Whether both ask the same of people, whatever their reasons.
    pub fn asks_the_same(&self, other: &Requirement) -> bool {
        let asked = |it: &Requirement| Requirement {
            reasons: Vec::new(),
            watched: Vec::new(),
            notification: Notification::default(),
            ..it.clone()
        };
        asked(self) == asked(other)
    }

    /// The same for a step whose gate asks for a person in any case. Neither silence nor a service account is a person.
    pub fn behind(mut self, gate: Gate) -> Requirement {
        if gate != Gate::Always {
            return self;
        }
        if let Some(timeout) = self.timeout.as_mut().filter(|timeout| timeout.then == OnTimeout::Approve) {
            timeout.then = OnTimeout::Escalate;
        }
        let asks_people = self.all_seats().any(|seat| seat.who.is_person());
        if !asks_people {
            let Requirement { seats, approvers, .. } = Requirement::default();
            self.also.push(Part { rule: None, seats, approvers, stand_ins: Vec::new() });
        }
        self
    }
}

/// The parts of both, without those that others cover. What is new comes first: it is why more is asked.
fn merge(before: Vec<Part>, now: Vec<Part>) -> Vec<Part> {
    let mut kept: Vec<Part> = Vec::new();
    for part in before {
        if !kept.iter().any(|other| covers(other, &part)) {
            kept.push(part);
        }
    }
    let mut new: Vec<Part> = Vec::new();
    for part in now {
        if kept.iter().chain(&new).any(|other| covers(other, &part)) {
            continue;
        }
        kept.retain(|other| !covers(&part, other));
        new.push(part);
    }
    new.extend(kept);
    new
}

/// Whether everybody who meets the first part meets the second one.
fn covers(strict: &Part, lax: &Part) -> bool {
    // Every decision needs the role APPROVER, so "anybody with that role" is anybody at all.
    let anybody = lax.approvers == Approvers::default() && lax.seats.iter().all(|seat| seat.who == Who::Any);
    // An escalation must not let others in than the lax one does.
    let no_others = strict.stand_ins.iter().all(|contact| lax.stand_ins.contains(contact));
    let fits = |who: &Who| no_others && (*who != Who::Any || strict.approvers == lax.approvers);
    let count = |part: &Part, who: &Who| -> u32 {
        part.seats.iter().filter(|seat| seat.who == *who).map(|seat| seat.count).sum()
    };
    (anybody && strict.people() >= lax.people())
        || lax.seats.iter().all(|seat| fits(&seat.who) && count(strict, &seat.who) >= count(lax, &seat.who))
}

/// Silence approves only where both take it for consent. Of the deadlines that deny or escalate, the earlier one holds.
fn timeout(one: Option<Timeout>, other: Option<Timeout>) -> Option<Timeout> {
    let consent = |timeout: &Timeout| timeout.then == OnTimeout::Approve;
    match (one, other) {
        (Some(one), Some(other)) if consent(&one) && consent(&other) => {
            // The longer one: people have the most time to object.
            Some(if one.after_seconds >= other.after_seconds { one } else { other })
        }
        _ => [one, other]
            .into_iter()
            .flatten()
            .filter(|timeout| !consent(timeout))
            .min_by_key(|timeout| (timeout.after_seconds, matches!(timeout.then, OnTimeout::Escalate))),
    }
}

fn notification(one: &Notification, other: &Notification) -> Notification {
    let mut both = one.clone();
    both.channels.extend(other.channels.iter().filter(|it| !one.channels.contains(it)).cloned());
    both.recipients.extend(other.recipients.iter().filter(|it| !one.recipients.contains(it)).cloned());
    both
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        email::Email,
        policy::{Approver, Contact},
        role::Role,
    };

    fn asking(seats: Vec<Seat>) -> Requirement {
        Requirement { seats, ..Requirement::default() }
    }

    fn group(count: u32, name: &str) -> Seat {
        Seat { count, who: Who::Group(name.to_owned()) }
    }

    fn member(groups: &[&str]) -> Approver {
        Approver { groups: groups.iter().map(|name| (*name).to_owned()).collect(), ..Approver::default() }
    }

    fn met(requirement: &Requirement, people: &[Approver]) -> bool {
        let able: Vec<Vec<usize>> = people.iter().map(|person| person.seats(requirement, &[])).collect();
        requirement.missing(&able).is_empty()
    }

    #[test]
    fn what_one_covers_is_not_asked_twice() {
        let one = Requirement::default();
        let two = Requirement { rule: Some("Two".to_owned()), ..asking(vec![group(2, "finance")]) };
        let both = one.and(&two);
        assert_eq!((both.rule.as_deref(), both.seats.clone(), both.also.len()), (Some("Two"), two.seats.clone(), 0));
        // And it never becomes less again.
        assert!(both.and(&one).asks_the_same(&both));
        assert!(two.and(&asking(vec![group(1, "finance")])).asks_the_same(&two));
    }

    #[test]
    fn both_must_be_met_where_neither_covers_the_other() {
        let both = asking(vec![group(1, "finance")]).and(&asking(vec![group(1, "security")]));
        assert_eq!((both.also.len(), both.approvals()), (1, 1));
        assert!(!met(&both, &[member(&["finance"])]) && !met(&both, &[member(&["security"])]));
        assert!(met(&both, &[member(&["finance"]), member(&["security"])]));
        assert!(met(&both, &[member(&["finance", "security"])]), "a person has a seat in each part");
    }

    #[test]
    fn stand_ins_of_a_lax_rule_do_not_stand_in_for_the_people_of_a_strict_one() {
        let boss = Contact::Email(Email::parse("boss@example.com").expect("an address"));
        let escalation = Some(Escalation { after_seconds: Some(60), to: vec![boss.clone()] });
        let lax = Requirement { escalation, ..asking(vec![group(1, "support")]) };
        let both = lax.and(&asking(vec![group(1, "finance")]));
        let stand_in = Approver { email: Email::parse("boss@example.com").ok(), ..Approver::default() };
        let able = vec![stand_in.seats(&both, &[boss])];
        assert_eq!(both.missing(&able), [group(1, "finance")]);
    }

    #[test]
    fn silence_is_consent_only_where_both_say_so() {
        let after = |after_seconds, then| Some(Timeout { after_seconds, then });
        let (approve, reject, cancel) = (OnTimeout::Approve, OnTimeout::Reject, OnTimeout::Cancel);
        assert_eq!(timeout(after(10, approve), after(20, approve)), after(20, approve));
        assert_eq!(timeout(after(10, approve), None), None);
        assert_eq!(timeout(after(10, approve), after(20, reject)), after(20, reject));
        assert_eq!(timeout(None, after(20, cancel)), after(20, cancel));
        assert_eq!(timeout(after(20, OnTimeout::Escalate), after(20, cancel)), after(20, cancel));
        let gated = Requirement { timeout: after(10, approve), ..Requirement::default() };
        assert_eq!(gated.clone().behind(Gate::Always).timeout, after(10, OnTimeout::Escalate));
        assert_eq!(gated.clone().behind(Gate::Policy), gated);
    }

    #[test]
    fn what_an_admin_has_replaced_is_not_asked_for_again() {
        let impossible = asking(vec![group(5, "finance")]);
        let admins = Approvers { roles: vec![Role::Admin], ..Approvers::nobody() };
        let given = impossible.given_to(admins, 1);
        assert!(given.and(&impossible).asks_the_same(&given));
        let more = given.and(&asking(vec![group(2, "security")]));
        assert_eq!(more.also.len(), 1, "another rule is met as well: {more:?}");
    }

    #[test]
    fn a_service_account_is_not_one_of_the_people() {
        let person = Requirement::default();
        let program = asking(vec![Seat { count: 1, who: Who::ServiceAccount("bot".to_owned()) }]);
        let bot = Approver { service_account: Some("bot".to_owned()), ..Approver::default() };
        let anybody = Approver { roles: Role::Approver.into(), ..Approver::default() };
        let gated = program.clone().behind(Gate::Always);
        for both in [person.and(&program), program.and(&person), gated] {
            assert!(!met(&both, std::slice::from_ref(&bot)), "{both:?}");
            assert!(met(&both, &[bot.clone(), anybody.clone()]), "{both:?}");
        }
        assert!(met(&program.clone().behind(Gate::Policy), &[bot]));
        let named = asking(vec![group(1, "finance")]);
        assert_eq!(named.clone().behind(Gate::Always), named, "a person is asked already");
    }

    #[test]
    fn who_is_kept_out_stays_out() {
        let strict = Requirement { separation_of_duties: true, ..Requirement::default() };
        assert!(strict.and(&Requirement::default()).separation_of_duties);
        assert!(Requirement::default().and(&strict).separation_of_duties);
        let named = Requirement {
            approvers: Approvers { roles: vec![Role::Admin], ..Approvers::nobody() },
            ..Requirement::default()
        };
        assert!(Requirement::default().and(&named).asks_the_same(&named));
    }
}
