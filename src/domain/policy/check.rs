//! What a policy that can be read will not do: ask people who are not there, tell people who cannot be told, or apply a
//! rule that never gets its turn.

use super::{
    Policy,
    condition::Test,
    feasible::{may_decide, unfillable, unfillable_after_escalation},
    quorum::Approver,
    requirement::{Approvers, Contact, Notification, Requirement, Seat, Who},
    rule::{Checkpoint, Rule},
    shadow::Mode,
};
use crate::domain::{
    document::{MOST_PROBLEMS, Place, Problem, ProblemCode, locate},
    email::Email,
};

/// The channels that there are.
pub const CHANNELS: [&str; 6] = ["teams", "slack", "email", "webhook", "push", "console"];

/// For how many people it is tried what happens without one of them.
const MOST_TRIED: usize = 50;

/// Who there is in a workspace.
#[derive(Debug, Clone, Default)]
pub struct Directory {
    pub groups: Vec<String>,
    /// Those whose account is not disabled.
    pub people: Vec<Approver>,
}

/// What was found about a policy, each in the order of the document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// What no one could ever approve.
    pub errors: Vec<Problem>,
    /// What is probably a mistake.
    pub warnings: Vec<Problem>,
}

impl Policy {
    /// Looks at a policy as it is in a workspace. The text says in which line something is.
    pub fn check(&self, text: &str, directory: &Directory) -> Findings {
        let mut check = Check { directory, found: Findings::default() };
        for checkpoint in &self.checkpoints {
            check.look_at_checkpoint(checkpoint);
        }
        for auto in &self.auto_approvals.rules {
            let place = auto.rule.place.child("action");
            if let Some(notification) = &auto.notice.notification {
                check.look_at_channels(notification, &place.child("notification_channels"));
            }
        }
        let mut types: Vec<_> = self.operation_types.types.values().collect();
        types.sort_by_key(|known| known.position);
        for known in types {
            if let Some(requesters) = &known.requesters {
                let place = Place::default().child("operation_types").child("types").child(known.position);
                check.look_at_named(requesters, &place.child("requesters"), false);
            }
        }
        check.look_for_hidden(self.checkpoints.iter().map(|checkpoint| &checkpoint.rule));
        let approving = self.auto_approvals.rules.iter().filter(|auto| auto.takes_part() && auto.mode == Mode::Live);
        check.look_for_hidden(approving.map(|auto| &auto.rule));
        let mut found = check.found;
        // Without people yet, every requirement would be one that nobody can meet.
        if directory.people.is_empty() {
            found.warnings.splice(0..0, std::mem::take(&mut found.errors));
        }
        for problems in [&mut found.errors, &mut found.warnings] {
            locate(text, problems);
            problems.truncate(MOST_PROBLEMS);
        }
        found
    }
}

struct Check<'a> {
    directory: &'a Directory,
    found: Findings,
}

impl Check<'_> {
    fn warn(&mut self, place: &Place, message: String) {
        self.found.warnings.push(place.problem(ProblemCode::InvalidValue, message));
    }

    fn look_at_checkpoint(&mut self, checkpoint: &Checkpoint) {
        let (place, requirement) = (checkpoint.rule.place.child("action"), &checkpoint.requirement);
        self.look_at_seats(requirement, &place);
        self.look_at_named(&requirement.approvers, &place.child("approvers"), true);
        for contact in requirement.escalation.iter().flat_map(|escalation| &escalation.to) {
            self.look_at_contact(contact, &place.child("escalation").child("escalate_to"), true);
        }
        let notification = place.child("notification");
        self.look_at_channels(&requirement.notification, &notification.child("channels"));
        for contact in &requirement.notification.recipients {
            self.look_at_contact(contact, &notification.child("recipients"), false);
        }
        if !checkpoint.log && !checkpoint.auto_approve {
            let message = "decisions of people are always in the audit log: `log_decision` has no effect here";
            self.warn(&place.child("log_decision"), message.to_owned());
        }
    }

    /// Whether there are enough people for every seat.
    fn look_at_seats(&mut self, requirement: &Requirement, place: &Place) {
        let people = &self.directory.people;
        let named = requirement.seats.iter().any(|seat| seat.who != Who::Any);
        let place = match (named, requirement.approvers == Approvers::default()) {
            (true, _) => place.child("quorum"),
            (false, false) => place.child("approvers"),
            (false, true) => place.child("require_approval_count"),
        };
        let empty = unfillable(requirement, people);
        if !empty.is_empty() {
            let lacking = lacking(requirement, &empty);
            if unfillable_after_escalation(requirement, people).is_empty() {
                self.warn(&place, format!("only those that it is escalated to could approve this: {lacking}"));
            } else {
                let message = format!("no one could ever approve this: {lacking}");
                self.found.errors.push(place.problem(ProblemCode::InvalidValue, message));
            }
            return;
        }
        let able: Vec<&Approver> =
            people.iter().filter(|who| may_decide(who) && !who.seats(requirement, &[]).is_empty()).collect();
        if requirement.bars_starter() && able.len() <= MOST_TRIED {
            let stuck = |without: usize| {
                let others = able.iter().enumerate().filter(|(number, _)| *number != without).map(|(_, who)| *who);
                !unfillable(requirement, others).is_empty()
            };
            if (0..able.len()).any(stuck) {
                let message = "there are just enough people to approve this: whoever of them starts an execution may \
                     not decide, and then no one could";
                self.warn(&place, message.to_owned());
            }
        }
    }

    /// People and groups who are asked, or may request something.
    fn look_at_named(&mut self, named: &Approvers, place: &Place, decide: bool) {
        for (number, group) in named.groups.iter().enumerate() {
            self.look_at_group(group, &place.child("groups").child(number), decide);
        }
        for (number, email) in named.users.iter().enumerate() {
            self.look_at_address(email, &place.child("users").child(number), decide);
        }
    }

    fn look_at_contact(&mut self, contact: &Contact, place: &Place, decide: bool) {
        match contact {
            Contact::Group(group) => self.look_at_group(group, place, decide),
            Contact::Email(email) => self.look_at_address(email, place, decide),
        }
    }

    fn look_at_group(&mut self, group: &str, place: &Place, decide: bool) {
        let members = |who: &&Approver| who.groups.iter().any(|name| name == group);
        if !self.directory.groups.iter().any(|name| name == group) {
            self.warn(place, format!("there is no group `{group}`"));
        } else if decide && !self.directory.people.iter().filter(members).any(may_decide) {
            self.warn(place, format!("no active member of the group `{group}` has the role APPROVER"));
        }
    }

    fn look_at_address(&mut self, email: &Email, place: &Place, decide: bool) {
        match self.directory.people.iter().find(|who| who.email.as_ref() == Some(email)) {
            None => self.warn(place, format!("no one here has the address `{}`", email.as_str())),
            Some(who) if decide && !may_decide(who) => {
                self.warn(place, format!("`{}` does not have the role APPROVER and may not decide", email.as_str()));
            }
            Some(_) => {}
        }
    }

    fn look_at_channels(&mut self, notification: &Notification, place: &Place) {
        for channel in notification.channels.iter().filter(|name| !CHANNELS.contains(&name.as_str())) {
            self.warn(place, format!("`{channel}` is not a channel that is known: there is {}", CHANNELS.join(", ")));
        }
    }

    /// Rules that come after one that always applies where they would. They are in the order in which they are tried.
    fn look_for_hidden<'a>(&mut self, rules: impl Iterator<Item = &'a Rule>) {
        let rules: Vec<&Rule> = rules.collect();
        for (number, rule) in rules.iter().enumerate() {
            if let Some(earlier) = rules[..number].iter().find(|earlier| covers(earlier, rule)) {
                let message =
                    format!("this rule never applies: `{}` comes first and matches all that it does", earlier.name);
                self.warn(&rule.place, message);
            }
        }
    }
}

/// Which approvals no one could give.
fn lacking(requirement: &Requirement, empty: &[Seat]) -> String {
    let seat = |seat: &Seat| {
        let who = match &seat.who {
            Who::Any => requirement.approvers.to_string(),
            who => who.to_string(),
        };
        let asked =
            requirement.seats.iter().filter(|asked| asked.who == seat.who).map(|asked| asked.count).sum::<u32>();
        let there = asked.saturating_sub(seat.count);
        format!(
            "{asked} of {who} must approve, and there are active people with the role APPROVER for {there} of these"
        )
    };
    empty.iter().map(seat).collect::<Vec<_>>().join("; ")
}

/// Whether a rule matches whatever another one does. Only what can be told from the texts: a rule that looks at the
/// proposal's content may or may not.
fn covers(rule: &Rule, other: &Rule) -> bool {
    rule.conditions.iter().all(|condition| match &condition.test {
        Test::Risk(levels) => other.conditions.iter().any(|one| match &one.test {
            Test::Risk(narrower) => narrower.iter().all(|level| levels.contains(level)),
            _ => false,
        }),
        Test::Operation(types) => other.conditions.iter().any(|one| match &one.test {
            Test::Operation(narrower) => narrower.iter().all(|name| types.contains(name)),
            _ => false,
        }),
        Test::Confidence(_) | Test::Parameter(..) | Test::Anywhere(..) | Test::Expression(_) => false,
    })
}
