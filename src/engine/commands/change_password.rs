//! Setting one's own password. All other sessions end: whoever knew the old one is out.

use secrecy::SecretString;
use serde_json::json;

use super::sign_out::end_sessions;
use crate::{
    domain::{
        access::{Credential, Scope, Viewer},
        audit::Action,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result, identity::Passwords},
    store::{sessions::Which, users::Change},
};

#[derive(Debug)]
pub struct ChangePassword {
    /// Needed unless there is none yet.
    pub current: Option<SecretString>,
    pub new: SecretString,
}

impl Engine {
    pub async fn change_password(&self, viewer: &Viewer, command: ChangePassword, origin: &Origin) -> Result<()> {
        let (Some(user), Credential::Session(session)) = (viewer.user(), viewer.credential) else {
            let message = "only people who signed in here have a password to change";
            return Err(Refusal::new(Code::Conflict, message).into());
        };
        Passwords::check("newPassword", &command.new)?;
        let scope = Scope::own(viewer);
        let wrong = || Refusal::at("currentPassword", Code::InvalidCredentials, "the current password is wrong").into();
        let before = self.store().password_hash(scope, user).await?;
        if before.is_some() {
            self.0.attempts.from_address(origin)?;
            let current = command.current.unwrap_or_default();
            if !self.0.passwords.verify(current, before.clone()).await? {
                return Err(wrong());
            }
        }
        let hash = self.0.passwords.hash(command.new).await?;
        let mut tx = self.begin(origin).await?;
        // Hashing took a while: of two changes at once, the second no longer knows the current password.
        if tx.hold_user(scope, user).await?.is_none_or(|held| held.password_hash != before) {
            return Err(wrong());
        }
        tx.update_user(scope, user, Change { password_hash: Some(hash), ..Change::default() }).await?;
        end_sessions(&mut tx, scope, user, Which::AllBut(session)).await?;
        tx.drop_sign_in_links(user).await?;
        tx.audit(scope, Action::UserPasswordChanged, Some(user.into()), json!({}));
        Ok(tx.commit().await?)
    }
}
