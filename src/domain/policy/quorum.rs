//! Do these approvals suffice, and whose are missing?
//!
//! "2 of finance and 1 of security" is not met by two people who are in both: everybody takes one seat. Who takes which
//! is for us to arrange, not for the order in which they came.

use super::requirement::{Approvers, Requirement, Seat, Who};
use crate::domain::{
    email::Email,
    id::UserId,
    role::{Role, Roles},
};

/// Somebody who has approved, or wants to.
#[derive(Debug, Clone)]
pub struct Approver {
    pub user: UserId,
    pub email: Email,
    /// The names of the groups.
    pub groups: Vec<String>,
    pub roles: Roles,
}

/// How far a quorum is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// The seats that nobody has taken yet, each with how many are left. None: the quorum is met.
    pub missing: Vec<Seat>,
}

impl Tally {
    pub fn is_met(&self) -> bool {
        self.missing.is_empty()
    }
}

impl Approver {
    /// Whether somebody is asked at all: among the approvers, or able to take a seat. Who is excluded is not looked at.
    pub fn is_asked(&self, requirement: &Requirement) -> bool {
        let approvers = &requirement.approvers;
        self.is_among(approvers) || requirement.seats.iter().any(|seat| self.can_take(seat, approvers))
    }

    fn can_take(&self, seat: &Seat, approvers: &Approvers) -> bool {
        match &seat.who {
            Who::Any => self.is_among(approvers),
            Who::Group(group) => self.is_in(group),
            Who::Role(role) => self.has(*role),
            Who::User(email) => self.email == *email,
        }
    }

    fn is_among(&self, approvers: &Approvers) -> bool {
        approvers.users.contains(&self.email)
            || approvers.groups.iter().any(|group| self.is_in(group))
            || approvers.roles.iter().any(|role| self.has(*role))
    }

    fn is_in(&self, group: &str) -> bool {
        self.groups.iter().any(|name| name == group)
    }

    fn has(&self, role: Role) -> bool {
        self.roles.allow(role)
    }
}

/// Seats as many of the approvers as possible. Who is there twice counts once. Of the seats that could be filled, the
/// ones that are written first are; so what is missing does not depend on the order of the approvers.
pub fn tally(requirement: &Requirement, approvers: &[Approver]) -> Tally {
    let mut people: Vec<&Approver> = Vec::with_capacity(approvers.len());
    for approver in approvers {
        if !people.iter().any(|other| other.user == approver.user) {
            people.push(approver);
        }
    }
    let able = |seat: &Seat| -> Vec<usize> {
        let can = |(_, person): &(usize, &&Approver)| person.can_take(seat, &requirement.approvers);
        people.iter().enumerate().filter(can).map(|(number, _)| number).collect()
    };
    let able: Vec<Vec<usize>> = requirement.seats.iter().map(able).collect();
    let mut arrangement = Arrangement { able: &able, taken: vec![None; people.len()] };
    let mut missing = Vec::new();
    for (number, seat) in requirement.seats.iter().enumerate() {
        let filled = (0..seat.count).take_while(|_| arrangement.fill(number, &mut vec![false; people.len()])).count();
        let left = seat.count - u32::try_from(filled).unwrap_or(seat.count);
        if left > 0 {
            missing.push(Seat { count: left, who: seat.who.clone() });
        }
    }
    Tally { missing }
}

/// Who sits where: a matching of people and seats that grows by one at a time.
struct Arrangement<'a> {
    /// Who can take each seat.
    able: &'a [Vec<usize>],
    /// Which seat everybody has.
    taken: Vec<Option<usize>>,
}

impl Arrangement<'_> {
    /// Finds somebody for a seat, if need be by moving others on to other seats that they can take as well.
    fn fill(&mut self, seat: usize, asked: &mut [bool]) -> bool {
        for &person in &self.able[seat] {
            if std::mem::replace(&mut asked[person], true) {
                continue;
            }
            let free = match self.taken[person] {
                None => true,
                Some(other) => self.fill(other, asked),
            };
            if free {
                self.taken[person] = Some(seat);
                return true;
            }
        }
        false
    }
}
