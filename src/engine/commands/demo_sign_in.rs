//! Signing in to a demo with one click, which proves nothing and is therefore for this machine alone.

use super::StartedSession;
use crate::{
    domain::{
        access::Scope,
        email::Email,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Error, Origin, Result},
    telemetry::metrics::SIGN_INS,
};

#[derive(Debug)]
pub struct DemoSignIn {
    /// Whoever looks around.
    pub email: &'static str,
    /// Whether the caller is on this machine, with nobody in between.
    pub is_local: bool,
}

impl Engine {
    pub async fn demo_sign_in(&self, command: DemoSignIn, origin: &Origin) -> Result<StartedSession> {
        self.0.attempts.from_address(origin)?;
        let refuse = |message: &'static str| {
            metrics::counter!(SIGN_INS, "outcome" => "refused").increment(1);
            Error::from(Refusal::new(Code::NotAllowed, message))
        };
        if !self.settings().demo {
            return Err(refuse("this server is no demo: sign in with a password or a link"));
        }
        if !command.is_local {
            return Err(refuse(
                "only a browser on the server's own machine can sign in with one click, at a loopback address and \
                 without a proxy",
            ));
        }
        let email = Email::parse(command.email).map_err(Error::Internal)?;
        let accounts = self.store().accounts_by_email(&email, None).await?;
        let tx = self.begin(origin).await?;
        let account = accounts.into_iter().find(|account| account.user.disabled_at.is_none());
        let held = match account {
            Some(account) => {
                let scope = Scope::as_user(account.user.workspace, account.user.id);
                tx.hold_user(scope, account.user.id).await?.filter(|held| held.user.disabled_at.is_none())
            }
            None => None,
        };
        let Some(held) = held else {
            return Err(refuse(
                "nobody is here to look around as: the database has other content, or they were removed",
            ));
        };
        self.start_session(tx, &held.user, "demo", false, origin).await
    }
}
