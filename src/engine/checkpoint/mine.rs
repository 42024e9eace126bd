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

/// How somebody stands to an audience.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// What it decides about waits for them.
    Asked,
    /// They have given their answer, and others have yet to.
    Answered,
    /// It does not concern them.
    Other,
}

impl Engine {
    /// How the caller stands now to each of the workspace's audiences, also in the place of those who let the caller
    /// decide for them. There are few audiences, however many checkpoints wait.
    pub async fn standings(&self, scope: Scope) -> Result<HashMap<String, Standing>> {
        let caller = self.caller(scope).await?;
        let mut people = Vec::new();
        if let Actor::User(user) = caller.actor {
            let absent: Vec<UserId> = self.store().absent_principals(scope, user, self.clock().now()).await?;
            people.extend(self.people(scope, &absent).await?.into_values());
        }
        people.insert(0, caller);
        let audiences = self.store().audiences(scope).await?;
        let (own, others): (Vec<Audience>, Vec<Audience>) =
            audiences.into_iter().partition(|audience| people.iter().any(|who| includes(audience, who)));
        let barred = self.barred(scope, &own).await?;
        let own = own.into_iter().map(|audience| (barred.standing(&audience, &people), audience.name));
        let others = others.into_iter().map(|audience| (Standing::Other, audience.name));
        Ok(own.chain(others).map(|(standing, name)| (name, standing)).collect())
    }

    /// The names of the audiences by which something waits for the caller.
    pub async fn audiences_of_caller(&self, scope: Scope) -> Result<Vec<String>> {
        let standings = self.standings(scope).await?.into_iter();
        Ok(standings.filter(|(_, standing)| *standing == Standing::Asked).map(|(name, _)| name).collect())
    }

    /// Who the people are that these audiences bar.
    async fn barred(&self, scope: Scope, audiences: &[Audience]) -> Result<BarredPeople> {
        let (mut actors, mut agents) = (Vec::new(), Vec::new());
        for bar in audiences.iter().flat_map(|audience| &audience.barred) {
            match bar {
                Barred::Starter(actor) => actors.push(*actor),
                Barred::AuthorsOf(agent) => agents.push(AgentId(*agent)),
                Barred::Decided(_) => {}
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
    /// How somebody stands to an audience who also decides in the place of others: the first of these people is them.
    fn standing(&self, audience: &Audience, people: &[Person]) -> Standing {
        let Some(caller) = people.first().filter(|caller| !self.may_not(audience, caller)) else {
            return Standing::Other;
        };
        let answered = |who: &Person| audience.barred.contains(&Barred::Decided(who.id));
        let own = people.iter().filter(|who| includes(audience, who) && !self.may_not(audience, who));
        let (done, open): (Vec<&Person>, Vec<&Person>) = own.partition(|who| answered(who));
        match (answered(caller), open.is_empty(), done.is_empty()) {
            (false, false, _) => Standing::Asked,
            (true, _, _) | (false, true, false) => Standing::Answered,
            (false, true, true) => Standing::Other,
        }
    }

    /// Whether a policy keeps a person from deciding.
    fn may_not(&self, audience: &Audience, person: &Person) -> bool {
        let is = |actor: &Actor| self.identities.get(actor) == Some(&person.id);
        audience.barred.iter().any(|bar| match bar {
            Barred::Starter(actor) => is(actor),
            Barred::AuthorsOf(agent) => self.authors.get(&AgentId(*agent)).into_iter().flatten().any(is),
            Barred::Decided(_) => false,
        })
    }
}

fn includes(audience: &Audience, person: &Person) -> bool {
    audience.members.iter().any(|member| *member == by_id(person.id) || is_meant(person, member))
}

/// Whether a member of an audience, such as `group:finance`, is or includes a person.
fn is_meant(person: &Person, member: &str) -> bool {
    let approver = &person.approver;
    match member.split_once(':') {
        Some(("group", name)) => approver.groups.iter().any(|group| group == name),
        Some(("role", role)) => role.parse::<Role>().is_ok_and(|role| approver.roles.allow(role)),
        Some(("service_account", name)) => approver.service_account.as_deref() == Some(name),
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
            service_account: None,
        };
        let ada = Person { actor: Actor::User(UserId(Uuid::nil())), id: Uuid::nil(), approver };
        for member in ["group:finance: EU", "role:APPROVER", "role:VIEWER", "user:ada@example.com"] {
            assert!(is_meant(&ada, member), "{member}");
        }
        for member in ["group:finance", "role:OPERATOR", "role:x", "user:bob@example.com", "any", "id:x"] {
            assert!(!is_meant(&ada, member), "{member}");
        }
        let approver = Approver { service_account: Some("bot".to_owned()), ..Approver::default() };
        let bot = Person { approver, ..ada };
        assert!(is_meant(&bot, "service_account:bot"));
        for member in ["service_account:other", "role:APPROVER", "role:VIEWER", "any"] {
            assert!(!is_meant(&bot, member), "{member}");
        }
    }
}
