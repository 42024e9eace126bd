//! Do these approvals suffice, and whose are missing?
//!
//! "2 of finance and 1 of security" is not met by two people who are in both: everybody takes one seat. Who takes which
//! is for us to arrange, not for the order in which they came.

use super::requirement::{Approvers, Contact, Part, Requirement, Seat, Who};
use crate::domain::{
    email::Email,
    role::{Role, Roles},
};

/// Somebody who has approved, or wants to.
#[derive(Debug, Clone, Default)]
pub struct Approver {
    /// Programs have none.
    pub email: Option<Email>,
    /// The names of the groups.
    pub groups: Vec<String>,
    pub roles: Roles,
    /// The name of the service account, for a program that acts as one. It is no person: it has no address, groups or
    /// roles here, and takes only a seat that names it.
    pub service_account: Option<String>,
}

impl Approver {
    /// Whether somebody is asked at all: among the approvers, or able to take a seat. Who is excluded is not looked at.
    pub fn is_asked(&self, requirement: &Requirement) -> bool {
        let mut approvers =
            std::iter::once(&requirement.approvers).chain(requirement.also.iter().map(|p| &p.approvers));
        approvers.any(|approvers| self.is_among(approvers)) || !self.seats(requirement, &[]).is_empty()
    }

    /// The seats of a requirement that somebody can take, by their number. Contacts to whom it was escalated stand in
    /// for the people of the rule that named them, and for no others.
    pub fn seats(&self, requirement: &Requirement, escalated_to: &[Contact]) -> Vec<usize> {
        let mut able = Vec::new();
        let mut number = 0;
        for part in requirement.parts() {
            let stands_in = escalated_to.iter().any(|to| part.stand_ins.contains(to) && self.is_meant(to));
            for seat in &part.seats {
                if stands_in || self.can_take(seat, &part) {
                    able.push(number);
                }
                number += 1;
            }
        }
        able
    }

    fn can_take(&self, seat: &Seat, part: &Part) -> bool {
        match &seat.who {
            Who::Any => self.is_among(&part.approvers),
            Who::Group(group) => self.is_in(group),
            Who::Role(role) => self.has(*role),
            Who::User(email) => self.is(email),
            Who::ServiceAccount(name) => self.service_account.as_ref() == Some(name),
        }
    }

    pub(super) fn is_among(&self, approvers: &Approvers) -> bool {
        approvers.users.iter().any(|email| self.is(email))
            || approvers.groups.iter().any(|group| self.is_in(group))
            || approvers.roles.iter().any(|role| self.has(*role))
    }

    /// Whether somebody is meant by a contact.
    pub fn is_meant(&self, contact: &Contact) -> bool {
        match contact {
            Contact::Email(email) => self.is(email),
            Contact::Group(group) => self.is_in(group),
        }
    }

    fn is(&self, email: &Email) -> bool {
        self.email.as_ref() == Some(email)
    }

    fn is_in(&self, group: &str) -> bool {
        self.groups.iter().any(|name| name == group)
    }

    fn has(&self, role: Role) -> bool {
        self.roles.allow(role)
    }
}

impl Requirement {
    /// The seats that no one has taken, each with how many are left; none if the quorum is met. `able` says of each
    /// person who has approved which seats they can take. Of the seats that could be filled, the ones that are written
    /// first are; so what is missing does not depend on the order of the approvals.
    pub fn missing(&self, able: &[Vec<usize>]) -> Vec<Seat> {
        let parts = std::iter::once(&self.seats).chain(self.also.iter().map(|part| &part.seats));
        let mut missing: Vec<Seat> = Vec::new();
        let mut number = 0;
        for seats in parts {
            // A person takes one seat in each part.
            let mut arrangement = Arrangement { able, taken: vec![None; able.len()] };
            for seat in seats {
                let fill = |_: &u32| arrangement.fill(number, &mut vec![false; able.len()]);
                let filled = (0..seat.count).take_while(fill).count();
                let left = seat.count - u32::try_from(filled).unwrap_or(seat.count);
                if left > 0 {
                    missing.push(Seat { count: left, who: seat.who.clone() });
                }
                number += 1;
            }
        }
        missing
    }
}

/// Who sits where: a matching of people and seats that grows by one at a time.
struct Arrangement<'a> {
    /// Which seats everybody can take.
    able: &'a [Vec<usize>],
    /// Which seat everybody has.
    taken: Vec<Option<usize>>,
}

impl Arrangement<'_> {
    /// Finds somebody for a seat, if need be by moving others on to other seats that they can take as well.
    fn fill(&mut self, seat: usize, asked: &mut [bool]) -> bool {
        for person in 0..self.able.len() {
            if !self.able[person].contains(&seat) || std::mem::replace(&mut asked[person], true) {
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
