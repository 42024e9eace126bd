//! Who somebody is to those who count approvals.

use std::collections::HashMap;

use uuid::Uuid;

use crate::{
    domain::{
        access::{Actor, Scope},
        api_token::Owner,
        email::Email,
        id::UserId,
        policy::Approver,
        role::Role,
    },
    engine::{Engine, Error, Result},
};

/// A person who may decide, or a program that a rule names.
#[derive(Debug, Clone)]
pub struct Person {
    pub actor: Actor,
    /// The same for a person and all their tokens, and for all tokens of a service account: none of them is two people.
    pub id: Uuid,
    pub approver: Approver,
}

impl Person {
    /// Whether the person has the role that every decision needs. A service account has no role of its own here: it
    /// decides with a token that has the role, where a rule names it.
    pub fn may_approve(&self) -> bool {
        self.approver.roles.allow(Role::Approver) || self.approver.service_account.is_some()
    }
}

impl Engine {
    /// Whoever is calling.
    pub(crate) async fn caller(&self, scope: Scope) -> Result<Person> {
        let gone = || Error::Internal("the caller is gone".to_owned());
        self.who(scope, scope.actor()).await?.ok_or_else(gone)
    }

    /// Somebody with an account that is not disabled, or a token that is not revoked.
    pub(crate) async fn who(&self, scope: Scope, actor: Actor) -> Result<Option<Person>> {
        match actor {
            Actor::User(user) => self.person(scope, user).await,
            Actor::ApiToken(token) => {
                let found = self.store().api_token(scope, token).await?.filter(|found| found.revoked_at.is_none());
                let Some(owner) = found.and_then(|found| found.owner) else { return Ok(None) };
                match owner {
                    Owner::User(user) => {
                        let Some(person) = self.person(scope, user).await? else { return Ok(None) };
                        let mut roles = self.store().roles_of_api_tokens(scope, &[token]).await?;
                        let roles = roles.remove(&token).unwrap_or_default().both(person.approver.roles);
                        let approver = Approver { roles, ..Approver::default() };
                        Ok(Some(Person { actor, id: user.0, approver }))
                    }
                    Owner::ServiceAccount(id) => {
                        let account = self.store().service_account(scope, id).await?;
                        let Some(account) = account.filter(|account| account.disabled_at.is_none()) else {
                            return Ok(None);
                        };
                        let approver = Approver { service_account: Some(account.name), ..Approver::default() };
                        Ok(Some(Person { actor, id: id.0, approver }))
                    }
                }
            }
            Actor::System => Ok(Some(Person { actor, id: Uuid::nil(), approver: Approver::default() })),
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
            let approver = Approver { email: Email::parse(&user.email).ok(), groups, roles, service_account: None };
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
            let id = match found.get(&token).and_then(|token| token.owner) {
                Some(Owner::User(user)) => user.0,
                Some(Owner::ServiceAccount(account)) => account.0,
                None => token.0,
            };
            identities.insert(Actor::ApiToken(token), id);
        }
        Ok(identities)
    }
}
