//! Setting one's own password. All other sessions end: whoever knew the old one is out.

use secrecy::SecretString;
use serde_json::json;

use super::{sign_out::end_sessions, take_over::refuse_held};
use crate::{
    domain::{
        access::{Credential, Scope, Viewer},
        audit::Action,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result, identity::Words},
    store::{
        sessions::Which,
        users::{Change, User},
    },
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
        let scope = Scope::own(viewer);
        let gone = || Error::Internal(format!("the caller `{user}` has no account"));
        let User { email, display_name, .. } = self.store().user(scope, user).await?.ok_or_else(gone)?;
        self.0.passwords.check("newPassword", command.new.clone(), Words { email, display_name }).await?;
        let wrong = || Refusal::at("currentPassword", Code::InvalidCredentials, "the current password is wrong").into();
        let before = self.store().password_hash(scope, user).await?;
        if before.is_none() {
            // Nothing shows that it is the person: a password would be a way in that lasts.
            refuse_held(viewer)?;
        } else {
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
        tx.release_session(session).await?;
        end_sessions(&mut tx, scope, user, Which::AllBut(session)).await?;
        tx.drop_sign_in_links(user).await?;
        tx.audit(scope, Action::UserPasswordChanged, Some(user.into()), json!({}));
        Ok(tx.commit().await?)
    }
}
