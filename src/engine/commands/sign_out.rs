//! Ending one's own sessions. Open sockets and subscriptions of theirs end with them.

use serde_json::json;

use super::take_over::refuse_held;
use crate::{
    domain::{
        access::{Credential, Scope, Viewer},
        audit::Action,
        id::{SessionId, UserId},
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::{Tx, sessions::Which},
};

#[derive(Debug, Clone, Copy)]
pub enum SignOut {
    /// The session that calls.
    Here,
    /// Every session of the caller.
    Everywhere,
    /// Another session of the caller, by id.
    There(SessionId),
}

impl Engine {
    pub async fn sign_out(&self, viewer: &Viewer, command: SignOut, origin: &Origin) -> Result<()> {
        let not_a_session =
            || Refusal::new(Code::Conflict, "this call has no session: only people who signed in can sign out");
        let user = viewer.user().ok_or_else(not_a_session)?;
        let which = match (command, viewer.credential) {
            (SignOut::Everywhere, _) => Which::All,
            (SignOut::There(session), _) => Which::One(session),
            (SignOut::Here, Credential::Session(session)) => Which::One(session),
            (SignOut::Here, Credential::ApiToken(_) | Credential::Outside) => return Err(not_a_session().into()),
        };
        // A session that only reads must not turn out the person, who sees it and can end it.
        if !matches!((which, viewer.credential), (Which::One(one), Credential::Session(own)) if one == own) {
            refuse_held(viewer)?;
        }
        let mut tx = self.begin(origin).await?;
        let ended = end_sessions(&mut tx, Scope::own(viewer), user, which).await?;
        if ended == 0
            && let SignOut::There(session) = command
        {
            let message = format!("you have no open session `{session}`");
            return Err(Refusal::at("sessionId", Code::NotFound, message).into());
        }
        Ok(tx.commit().await?)
    }
}

/// Ends sessions and notes each, which is what tells open connections.
pub(super) async fn end_sessions(tx: &mut Tx, scope: Scope, user: UserId, which: Which) -> Result<usize> {
    let ended = tx.end_sessions(user, which).await?;
    for session in &ended {
        tx.audit(scope, Action::SignedOut, Some((*session).into()), json!({"user": user.to_string()}));
    }
    Ok(ended.len())
}
