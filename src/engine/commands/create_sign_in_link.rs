//! A new one-time link for somebody who has an account.

use secrecy::SecretString;
use serde_json::json;

use super::{
    change_user_roles::hold_user,
    take_over::{is_in_use, refuse_programs},
};
use crate::{
    domain::{
        access::{Actor, Scope},
        audit::Action,
        id::UserId,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::{Tx, secret, users::User},
};

impl Engine {
    /// Makes a link; earlier ones of the same person stop working.
    pub async fn create_sign_in_link(
        &self,
        scope: Scope,
        user: UserId,
        origin: &Origin,
    ) -> Result<(User, SecretString)> {
        refuse_programs(scope, "userId")?;
        let mut tx = self.begin(origin).await?;
        let held = hold_user(&tx, scope, user).await?;
        let recovery = is_in_use(&tx, &held).await?;
        let user = held.user;
        if user.disabled_at.is_some() {
            let message = format!("the user `{}` is disabled: enable the account first", user.id);
            return Err(Refusal::at("userId", Code::Conflict, message).into());
        }
        let link = self.add_sign_in_link(&mut tx, scope, &user, recovery).await?;
        tx.commit().await?;
        Ok((user, link))
    }

    /// Adds a link, in the log with whether its account is in use already.
    pub(super) async fn add_sign_in_link(
        &self,
        tx: &mut Tx,
        scope: Scope,
        user: &User,
        recovery: bool,
    ) -> Result<SecretString> {
        let link = secret::generate(secret::Kind::SignInLink);
        let expires_at = tx.now() + self.settings().sign_in_link_ttl.as_chrono();
        tx.drop_sign_in_links(user.id).await?;
        let operator = scope.actor() == Actor::System;
        tx.insert_sign_in_link(user.workspace, user.id, &link, expires_at, operator).await?;
        let details = json!({"expiresAt": expires_at, "recovery": recovery});
        tx.audit(scope, Action::SignInLinkCreated, Some(user.id.into()), details);
        Ok(link)
    }
}
