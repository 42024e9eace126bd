//! Who wants something to be done, as far as a policy looks at that.

use uuid::Uuid;

use crate::{
    domain::{
        access::{Actor, Scope},
        id::UserId,
        policy::{Approver, Policy, Requester},
    },
    engine::{Engine, Result},
};

impl Engine {
    /// Who is behind a proposal: who asks, or who started the execution. Most policies do not look at it, and then
    /// nothing is looked up.
    pub(crate) async fn requester(&self, scope: Scope, actor: Actor, policy: &Policy) -> Result<Requester> {
        if !policy.looks_at_identity() {
            return Ok(Requester::default());
        }
        let identity = self.identity(scope, actor).await?.unwrap_or(Uuid::nil());
        let who = if policy.looks_at_requester() { self.standing_of(scope, actor, identity).await? } else { None };
        Ok(Requester { identity, who: who.unwrap_or_default() })
    }

    /// A token has the groups and the address of the person that it belongs to, and roles of its own. Nothing for an
    /// account that is disabled.
    async fn standing_of(&self, scope: Scope, actor: Actor, identity: Uuid) -> Result<Option<Approver>> {
        let person = self.person(scope, UserId(identity)).await?.map(|person| person.approver);
        let Actor::ApiToken(token) = actor else { return Ok(person) };
        let roles = self.store().roles_of_api_tokens(scope, &[token]).await?.remove(&token).unwrap_or_default();
        match person {
            Some(person) => Ok(Some(Approver { roles, ..person })),
            None if identity == token.0 => Ok(Some(Approver { roles, ..Approver::default() })),
            None => Ok(None),
        }
    }
}
