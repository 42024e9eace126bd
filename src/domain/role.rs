//! What a person or a program may do in its workspace.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// One right. A caller can hold several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Role {
    /// Reads everything in the workspace.
    Viewer,
    /// Starts and stops executions.
    Operator,
    /// Writes agents and workflows.
    Author,
    /// Decides checkpoints.
    Approver,
    /// Manages people, tokens and settings, and may do all of the above.
    Admin,
}

impl Role {
    pub const ALL: [Role; 5] = [Role::Viewer, Role::Operator, Role::Author, Role::Approver, Role::Admin];

    pub fn as_str(self) -> &'static str {
        match self {
            Role::Viewer => "VIEWER",
            Role::Operator => "OPERATOR",
            Role::Author => "AUTHOR",
            Role::Approver => "APPROVER",
            Role::Admin => "ADMIN",
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A role name that does not exist.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a role: use viewer, operator, author, approver or admin")]
pub struct UnknownRole(String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        Role::ALL
            .into_iter()
            .find(|role| role.as_str().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

/// The roles that one caller holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roles(u8);

impl Roles {
    pub fn all() -> Self {
        Role::ALL.into_iter().collect()
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The roles as they were given, in a fixed order.
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |role| self.0 & role.bit() != 0)
    }

    /// Whether these roles give the right that `needed` stands for: an admin may do everything,
    /// and whoever has any role may read.
    pub fn allow(self, needed: Role) -> bool {
        let holds = |role: Role| self.0 & role.bit() != 0;
        holds(Role::Admin) || holds(needed) || (needed == Role::Viewer && !self.is_empty())
    }

    /// The roles whose rights both give. Whoever may do anything at all may read.
    pub fn both(self, other: Roles) -> Self {
        let shared: Roles = Role::ALL
            .into_iter()
            .filter(|role| (self.0 | other.0) & role.bit() != 0 && self.allow(*role) && other.allow(*role))
            .collect();
        if shared.is_empty() && !self.is_empty() && !other.is_empty() { Role::Viewer.into() } else { shared }
    }

    /// Whether these roles give every right that `other` gives: nobody can hand out more than they have.
    pub fn cover(self, other: Roles) -> bool {
        other.iter().all(|role| self.allow(role))
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        Roles(roles.into_iter().fold(0, |bits, role| bits | role.bit()))
    }
}

impl From<Role> for Roles {
    fn from(role: Role) -> Self {
        Roles(role.bit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_follow_from_roles() {
        for held in Role::ALL {
            for needed in Role::ALL {
                let expected = held == needed || held == Role::Admin || needed == Role::Viewer;
                assert_eq!(Roles::from(held).allow(needed), expected, "{held} allows {needed}");
            }
        }
        assert!(!Roles::default().allow(Role::Viewer));
    }

    #[test]
    fn what_two_sets_of_roles_share_allows_what_both_allow() {
        let sets: Vec<Roles> = (0..32).map(Roles).collect();
        for (one, other) in sets.iter().flat_map(|one| sets.iter().map(move |other| (*one, *other))) {
            for role in Role::ALL {
                let expected = one.allow(role) && other.allow(role);
                assert_eq!(one.both(other).allow(role), expected, "{one:?} and {other:?}: {role}");
            }
        }
        assert_eq!(Roles::from(Role::Admin).both(Role::Approver.into()), Role::Approver.into());
    }

    #[test]
    fn reads_any_case_and_explains_the_rest() {
        assert_eq!("Approver".parse(), Ok(Role::Approver));
        for role in Role::ALL {
            assert_eq!(serde_json::to_string(&role).expect("JSON"), format!("\"{role}\""));
        }
        let error = "boss".parse::<Role>().expect_err("no such role");
        assert_eq!(error.to_string(), "`boss` is not a role: use viewer, operator, author, approver or admin");
    }
}
