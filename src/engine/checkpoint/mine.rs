//! What somebody is asked to decide.

use std::collections::HashMap;

use uuid::Uuid;

use super::Person;
use crate::{
    domain::{
        access::{Actor, Scope},
        checkpoint::{Audience, Barred, by_id},
        id::{AgentId, UserId},
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
        let includes = |audience: &Audience, who: &Person| {
            audience.members.iter().any(|member| *member == by_id(who.id) || is_meant(who, member))
        };
        let mut audiences = self.store().audiences(scope).await?;
        audiences.retain(|audience| std::iter::once(&caller).chain(&principals).any(|who| includes(audience, who)));
        let barred = self.barred(scope, &audiences).await?;
        let may = |audience: &Audience, who: &Person| !audience.barred.iter().any(|bar| barred.is(bar, who.id));
        let own = audiences.into_iter().filter(|audience| {
            may(audience, &caller)
                && (includes(audience, &caller)
                    || principals.iter().any(|who| includes(audience, who) && may(audience, who)))
        });
        Ok(own.map(|audience| audience.name).collect())
    }

    /// Who the people are that these audiences bar.
    async fn barred(&self, scope: Scope, audiences: &[Audience]) -> Result<BarredPeople> {
        let (mut actors, mut agents) = (Vec::new(), Vec::new());
        for bar in audiences.iter().flat_map(|audience| &audience.barred) {
            match bar {
                Barred::Starter(actor) => actors.push(*actor),
                Barred::AuthorsOf(agent) => agents.push(AgentId(*agent)),
            }
        }
        agents.sort_unstable();
        agents.dedup();
        let authors = self.store().authors_of_agents(scope, &agents).await?;
        actors.extend(authors.values().flatten());
        Ok(BarredPeople { identities: self.identities(scope, actors).await?, authors })
    }
}

struct BarredPeople {
    identities: HashMap<Actor, Uuid>,
    authors: HashMap<AgentId, Vec<Actor>>,
}

impl BarredPeople {
    fn is(&self, bar: &Barred, person: Uuid) -> bool {
        let is = |actor: &Actor| self.identities.get(actor) == Some(&person);
        match bar {
            Barred::Starter(actor) => is(actor),
            Barred::AuthorsOf(agent) => self.authors.get(&AgentId(*agent)).into_iter().flatten().any(is),
        }
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
