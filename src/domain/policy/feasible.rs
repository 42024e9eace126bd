//! Could a requirement be met by the people there are?

use super::{
    quorum::Approver,
    requirement::{Contact, Requirement, Seat},
};
use crate::domain::role::Role;

/// The seats that would stay empty even if everybody approved who may; none if the requirement can be met. Only people
/// with the role APPROVER can decide. Whoever must not count is left out by the caller.
pub fn unfillable<'a>(requirement: &Requirement, people: impl IntoIterator<Item = &'a Approver>) -> Vec<Seat> {
    left(requirement, people, &[])
}

/// The same once it has been escalated: those it is escalated to stand in for the people of their rule.
pub fn unfillable_after_escalation<'a>(
    requirement: &Requirement,
    people: impl IntoIterator<Item = &'a Approver>,
) -> Vec<Seat> {
    left(requirement, people, &requirement.stand_ins().collect::<Vec<_>>())
}

fn left<'a>(
    requirement: &Requirement,
    people: impl IntoIterator<Item = &'a Approver>,
    escalated_to: &[Contact],
) -> Vec<Seat> {
    let able = people.into_iter().filter(|who| may_decide(who)).map(|who| who.seats(requirement, escalated_to));
    requirement.missing(&able.collect::<Vec<_>>())
}

/// Whether somebody may decide at all.
pub fn may_decide(who: &Approver) -> bool {
    who.roles.allow(Role::Approver)
}
