//! An admin ends the sessions of others. Their open sockets and subscriptions end with them.

use super::{change_user_roles::hold_user, sign_out::end_sessions};
use crate::{
    domain::{
        access::Scope,
        id::{SessionId, UserId},
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::{sessions::Which, users::User},
};

impl Engine {
    /// Ends one session of anybody in the workspace. Gives whose it was.
    pub async fn end_session(&self, scope: Scope, session: SessionId, origin: &Origin) -> Result<User> {
        let unknown = || {
            let message = format!("there is no open session `{session}` in this workspace");
            Refusal::at("sessionId", Code::NotFound, message)
        };
        let mut tx = self.begin(origin).await?;
        let user = tx.owner_of_session(scope, session).await?.ok_or_else(unknown)?;
        let held = hold_user(&tx, scope, user).await?;
        if end_sessions(&mut tx, scope, user, Which::One(session)).await? == 0 {
            return Err(unknown().into());
        }
        tx.commit().await?;
        Ok(held.user)
    }

    /// Ends all sessions of a person in the workspace. Gives how many were open.
    pub async fn end_sessions(&self, scope: Scope, user: UserId, origin: &Origin) -> Result<(User, usize)> {
        let mut tx = self.begin(origin).await?;
        let held = hold_user(&tx, scope, user).await?;
        let ended = end_sessions(&mut tx, scope, user, Which::All).await?;
        tx.commit().await?;
        Ok((held.user, ended))
    }
}
