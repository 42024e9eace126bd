//! Going on with a session: a new access token, and a new refresh token in place of the old one.

use chrono::Duration;
use secrecy::SecretString;
use serde_json::json;

use super::StartedSession;
use crate::{
    domain::{
        access::Scope,
        audit::Action,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::{
        secret,
        sessions::{Refresh, Session, Which},
    },
};

/// Two tabs that wake up together both send the old token: the second is forgiven for this long.
/// Later, an old token means that somebody copied it, and the session ends.
const FORGIVEN: Duration = Duration::seconds(30);

impl Engine {
    pub async fn refresh_session(&self, token: Option<SecretString>, origin: &Origin) -> Result<StartedSession> {
        let gone = || Refusal::new(Code::Unauthenticated, "there is no session to go on with: sign in");
        let token = token.ok_or_else(gone)?;
        let mut tx = self.begin(origin).await?;
        let now = tx.now();
        let (session, replaced) = match tx.find_refresh(&token).await? {
            Refresh::Current(session) => (session, None),
            Refresh::Previous(session, at) => (session, Some(at)),
            Refresh::Unknown => return Err(gone().into()),
        };
        match replaced {
            None => {
                let refresh_token = secret::generate(secret::Kind::Refresh);
                let expires_at = now + self.settings().session_ttl.as_chrono();
                tx.rotate_session(session.id, &token, &refresh_token, expires_at).await?;
                tx.commit().await?;
                self.go_on(&Session { expires_at, ..session }, Some(refresh_token)).await
            }
            Some(at) if now - at < FORGIVEN => {
                drop(tx);
                self.go_on(&session, None).await
            }
            Some(_) => {
                tx.end_sessions(session.user, Which::One(session.id)).await?;
                let scope = Scope::system(session.workspace);
                tx.audit(scope, Action::RefreshTokenReused, Some(session.id.into()), json!({}));
                tx.commit().await?;
                Err(gone().into())
            }
        }
    }

    /// Checks again that the person may: a disabled account gets nothing.
    async fn go_on(&self, session: &Session, refresh_token: Option<SecretString>) -> Result<StartedSession> {
        let now = self.clock().now();
        if self.store().viewer_of_session(session.id, now).await?.is_none() {
            return Err(Refusal::new(Code::Unauthenticated, "this session has ended: sign in").into());
        }
        let (access_token, expires_at) = self.0.access_tokens.issue(session.id, now)?;
        Ok(StartedSession {
            session: session.id,
            access_token,
            expires_at,
            refresh_token,
            refresh_expires_at: session.expires_at,
        })
    }
}
