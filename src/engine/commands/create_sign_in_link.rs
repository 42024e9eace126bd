//! A new one-time link for somebody who has an account.

use secrecy::SecretString;
use serde_json::json;

use super::change_user_roles::hold_user;
use crate::{
    domain::{
        access::Scope,
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
        let mut tx = self.begin(origin).await?;
        let user = hold_user(&tx, scope, user).await?.user;
        if user.disabled_at.is_some() {
            let message = format!("the user `{}` is disabled: enable the account first", user.id);
            return Err(Refusal::at("userId", Code::Conflict, message).into());
        }
        let link = self.add_sign_in_link(&mut tx, scope, &user).await?;
        tx.commit().await?;
        Ok((user, link))
    }

    pub(super) async fn add_sign_in_link(&self, tx: &mut Tx, scope: Scope, user: &User) -> Result<SecretString> {
        let link = secret::generate(secret::Kind::SignInLink);
        let expires_at = tx.now() + self.settings().sign_in_link_ttl.as_chrono();
        tx.drop_sign_in_links(user.id).await?;
        tx.insert_sign_in_link(user.workspace, user.id, &link, expires_at).await?;
        tx.audit(scope, Action::SignInLinkCreated, Some(user.id.into()), json!({"expiresAt": expires_at}));
        Ok(link)
    }
}
