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
        Tx, secret,
        sessions::{Refresh, Session, Which},
    },
};

/// Two tabs that wake up together both send the old token: the second is forgiven for this long. Whoever never got the
/// answer is forgiven until something of it is used. Later, an old token means that somebody copied it, and the session
/// ends. So does any token from before the last one.
const FORGIVEN: Duration = Duration::seconds(30);

impl Engine {
    pub async fn refresh_session(&self, token: Option<SecretString>, origin: &Origin) -> Result<StartedSession> {
        let gone = || Refusal::new(Code::Unauthenticated, "there is no session to go on with: sign in");
        let token = token.ok_or_else(gone)?;
        let mut tx = self.begin(origin).await?;
        let now = tx.now();
        match tx.find_refresh(&token).await? {
            Refresh::Unknown => {
                self.end_stolen_session(tx, &token).await?;
                Err(gone().into())
            }
            Refresh::Current(session, before) => {
                let generation = before.number + 1;
                let next = self.0.refresh_tokens.after(session.id, &token, generation)?;
                let session = Session { expires_at: now + self.settings().session_ttl.as_chrono(), ..session };
                tx.rotate_session(&session, generation, &token, &next).await?;
                tx.commit().await?;
                self.go_on(&session, generation, Some(next)).await
            }
            Refresh::Previous(session, generation, replaced) if !generation.used || now - replaced.at < FORGIVEN => {
                let next = self.0.refresh_tokens.after(session.id, &token, generation.number)?;
                // An earlier version of the server chose it at random: then it cannot be told again.
                let next = (secret::hash(&next) == replaced.by).then_some(next);
                if !generation.used {
                    tx.repeat_rotation(&session).await?;
                    tx.commit().await?;
                }
                self.go_on(&session, generation.number, next).await
            }
            Refresh::Previous(session, ..) => {
                end_reused(tx, &session).await?;
                Err(gone().into())
            }
        }
    }

    /// A token that was replaced long ago: only one of two who had it went on, and it cannot be known which. The session ends
    /// for both.
    async fn end_stolen_session(&self, tx: Tx, token: &SecretString) -> Result<()> {
        let Some((id, generation)) = self.0.refresh_tokens.recognise(token) else { return Ok(()) };
        match tx.hold_session(id).await? {
            Some((session, latest)) if generation < latest.number => end_reused(tx, &session).await,
            Some(_) | None => Ok(()),
        }
    }

    /// Checks again that the person may: a disabled account gets nothing.
    async fn go_on(
        &self,
        session: &Session,
        generation: i32,
        refresh_token: Option<SecretString>,
    ) -> Result<StartedSession> {
        let now = self.clock().now();
        if self.store().viewer_of_session(session.id, now).await?.is_none() {
            return Err(Refusal::new(Code::Unauthenticated, "this session has ended: sign in").into());
        }
        let (access_token, expires_at) = self.0.access_tokens.issue(session.id, generation, now)?;
        Ok(StartedSession {
            session: session.id,
            access_token,
            expires_at,
            refresh_token,
            refresh_expires_at: session.expires_at,
        })
    }
}

/// Ends a session of which somebody has an old token.
async fn end_reused(mut tx: Tx, session: &Session) -> Result<()> {
    tx.end_sessions(session.user, Which::One(session.id)).await?;
    tx.audit(Scope::system(session.workspace), Action::RefreshTokenReused, Some(session.id.into()), json!({}));
    Ok(tx.commit().await?)
}
