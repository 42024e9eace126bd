//! The end of every way to sign in: a session, its first access token and its refresh token.

use chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde_json::json;

use crate::{
    domain::{access::Scope, audit::Action, id::SessionId},
    engine::{Engine, Origin, Result},
    store::{
        Tx,
        sessions::Session,
        users::{Change, User},
    },
    telemetry::metrics::SIGN_INS,
};

/// What a browser needs to go on.
#[derive(Debug)]
pub struct StartedSession {
    pub session: SessionId,
    pub access_token: SecretString,
    pub expires_at: DateTime<Utc>,
    /// `None` when the browser has a newer one already.
    pub refresh_token: Option<SecretString>,
    pub refresh_expires_at: DateTime<Utc>,
}

impl Engine {
    pub(super) async fn start_session(
        &self,
        tx: Tx,
        user: &User,
        method: &str,
        held: bool,
        origin: &Origin,
    ) -> Result<StartedSession> {
        let mut tx = tx;
        let now = tx.now();
        let crate::domain::audit::Origin { address, user_agent } = origin.to_audit();
        let session = Session {
            id: SessionId::new(now),
            workspace: user.workspace,
            user: user.id,
            created_at: now,
            last_used_at: now,
            expires_at: now + self.settings().session_ttl.as_chrono(),
            ended_at: None,
            address,
            user_agent,
            held,
        };
        let refresh_token = self.0.refresh_tokens.first(session.id)?;
        tx.insert_session(&session, &refresh_token).await?;
        let scope = Scope::as_user(user.workspace, user.id);
        tx.update_user(scope, user.id, Change { last_sign_in_at: Some(now), ..Change::default() }).await?;
        let mut details = json!({"method": method});
        if held {
            details["held"] = json!(true);
        }
        tx.audit(scope, Action::SignedIn, Some(session.id.into()), details);
        tx.commit().await?;
        metrics::counter!(SIGN_INS, "outcome" => "accepted").increment(1);
        let (access_token, expires_at) = self.0.access_tokens.issue(session.id, 0, now)?;
        Ok(StartedSession {
            session: session.id,
            access_token,
            expires_at,
            refresh_token: Some(refresh_token),
            refresh_expires_at: session.expires_at,
        })
    }
}
