//! What somebody is asked to decide.

use super::Person;
use crate::{
    domain::{
        access::{Actor, Scope},
        checkpoint::by_id,
        id::UserId,
        role::Role,
    },
    engine::{Engine, Result},
};

impl Engine {
    /// The names of the audiences that the caller belongs to now, or whose members let the caller decide for them.
    /// There are few of them, however many checkpoints wait.
    pub async fn audiences_of_caller(&self, scope: Scope) -> Result<Vec<String>> {
        let caller = self.caller(scope).await?;
        let mut principals = Vec::new();
        if let Actor::User(user) = caller.actor {
            let absent: Vec<UserId> = self.store().absent_principals(scope, user, self.clock().now()).await?;
            principals.extend(self.people(scope, &absent).await?.into_values());
        }
        let concerns = |member: &String| {
            *member == by_id(caller.id) || std::iter::once(&caller).chain(&principals).any(|who| is_meant(who, member))
        };
        let audiences = self.store().audiences(scope).await?.into_iter();
        let own = audiences.filter(|(_, members)| members.iter().any(concerns));
        Ok(own.map(|(name, _)| name).collect())
    }
}

/// Whether a member of an audience, such as `group:finance`, is or includes a person.
fn is_meant(person: &Person, member: &str) -> bool {
    let approver = &person.approver;
    match member.split_once(':') {
        Some(("group", name)) => approver.groups.iter().any(|group| group == name),
        Some(("role", role)) => role.parse::<Role>().is_ok_and(|role| approver.roles.allow(role)),
        Some(("user", email)) => approver.email.as_ref().is_some_and(|own| own.as_str() == email),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::domain::{email::Email, policy::Approver, role::Roles};

    #[test]
    fn people_are_meant_by_group_role_and_address() {
        let approver = Approver {
            email: Email::parse("ada@example.com").ok(),
            groups: vec!["finance: EU".to_owned()],
            roles: Roles::from(Role::Approver),
        };
        let ada = Person { actor: Actor::User(UserId(Uuid::nil())), id: Uuid::nil(), approver };
        for member in ["group:finance: EU", "role:APPROVER", "role:VIEWER", "user:ada@example.com"] {
            assert!(is_meant(&ada, member), "{member}");
        }
        for member in ["group:finance", "role:OPERATOR", "role:x", "user:bob@example.com", "any", "id:x"] {
            assert!(!is_meant(&ada, member), "{member}");
        }
    }
}
