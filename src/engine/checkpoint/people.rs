//! Who somebody is to those who count approvals.

use std::collections::HashMap;

use uuid::Uuid;

use crate::{
    domain::{
        access::{Actor, Scope},
        email::Email,
        id::UserId,
        policy::Approver,
    },
    engine::{Engine, Error, Result},
};

/// A person who may decide, or a program that may.
#[derive(Debug, Clone)]
pub struct Person {
    pub actor: Actor,
    /// The same for a person and for all tokens that the person has made: nobody is two people.
    pub id: Uuid,
    pub approver: Approver,
}

impl Engine {
    /// Whoever is calling.
    pub(crate) async fn caller(&self, scope: Scope) -> Result<Person> {
        let gone = || Error::Internal("the caller is gone".to_owned());
        match scope.actor() {
            Actor::User(user) => self.person(scope, user).await?.ok_or_else(gone),
            Actor::ApiToken(token) => {
                let found = self.store().api_token(scope, token).await?.ok_or_else(gone)?;
                let roles = self.store().roles_of_api_tokens(scope, &[token]).await?.remove(&token).unwrap_or_default();
                let id = found.created_by.map_or(token.0, |user| user.0);
                Ok(Person { actor: scope.actor(), id, approver: Approver { email: None, groups: Vec::new(), roles } })
            }
            Actor::System => Ok(Person { actor: Actor::System, id: Uuid::nil(), approver: Approver::default() }),
        }
    }

    /// A person with an account that is not disabled.
    pub(crate) async fn person(&self, scope: Scope, user: UserId) -> Result<Option<Person>> {
        Ok(self.people(scope, &[user]).await?.remove(&user))
    }

    /// People with accounts that are not disabled.
    pub(crate) async fn people(&self, scope: Scope, users: &[UserId]) -> Result<HashMap<UserId, Person>> {
        if users.is_empty() {
            return Ok(HashMap::new());
        }
        let found = self.store().users_by_id(scope, users).await?;
        let mut roles = self.store().roles_of_users(scope, users).await?;
        let mut groups = self.store().groups_of_users(scope, users).await?;
        let active = found.into_iter().filter(|(_, user)| user.disabled_at.is_none());
        let people = active.map(|(id, user)| {
            let groups = groups.remove(&id).unwrap_or_default().into_iter().map(|group| group.name).collect();
            let roles = roles.remove(&id).unwrap_or_default();
            let approver = Approver { email: Email::parse(&user.email).ok(), groups, roles };
            (id, Person { actor: Actor::User(id), id: id.0, approver })
        });
        Ok(people.collect())
    }

    /// Who did something, as one who counts approvals sees it.
    pub(crate) async fn identity(&self, scope: Scope, actor: Actor) -> Result<Option<Uuid>> {
        Ok(self.identities(scope, [actor]).await?.remove(&actor))
    }

    /// The same for many. The server itself is nobody.
    pub(crate) async fn identities(
        &self,
        scope: Scope,
        actors: impl IntoIterator<Item = Actor>,
    ) -> Result<HashMap<Actor, Uuid>> {
        let mut identities = HashMap::new();
        let mut tokens = Vec::new();
        for actor in actors {
            match actor {
                Actor::User(user) => _ = identities.insert(actor, user.0),
                Actor::ApiToken(token) => tokens.push(token),
                Actor::System => {}
            }
        }
        let found =
            if tokens.is_empty() { HashMap::new() } else { self.store().api_tokens_by_id(scope, &tokens).await? };
        for token in tokens {
            let maker = found.get(&token).and_then(|token| token.created_by);
            identities.insert(Actor::ApiToken(token), maker.map_or(token.0, |user| user.0));
        }
        Ok(identities)
    }
}
