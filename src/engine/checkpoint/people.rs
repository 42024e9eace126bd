//! Who somebody is to those who count approvals.

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
        let Some(found) = self.store().user(scope, user).await?.filter(|user| user.disabled_at.is_none()) else {
            return Ok(None);
        };
        let roles = self.store().roles_of_users(scope, &[user]).await?.remove(&user).unwrap_or_default();
        let groups = self.store().groups_of_users(scope, &[user]).await?.remove(&user).unwrap_or_default();
        let groups = groups.into_iter().map(|group| group.name).collect();
        let approver = Approver { email: Email::parse(&found.email).ok(), groups, roles };
        Ok(Some(Person { actor: Actor::User(user), id: user.0, approver }))
    }

    /// Who did something, as one who counts approvals sees it.
    pub(crate) async fn identity(&self, scope: Scope, actor: Actor) -> Result<Option<Uuid>> {
        Ok(match actor {
            Actor::User(user) => Some(user.0),
            Actor::ApiToken(token) => {
                let found = self.store().api_token(scope, token).await?;
                Some(found.and_then(|token| token.created_by).map_or(token.0, |user| user.0))
            }
            Actor::System => None,
        })
    }
}
