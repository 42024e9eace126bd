//! Signing in with an e-mail address and a password.

use secrecy::SecretString;
use serde_json::json;

use super::StartedSession;
use crate::{
    domain::{
        access::Scope,
        audit::Action,
        email::Email,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::users::{Account, Held},
    telemetry::metrics::SIGN_INS,
};

#[derive(Debug)]
pub struct SignIn {
    pub email: String,
    pub password: SecretString,
    /// Needed only by people with the same address and password in several workspaces.
    pub workspace: Option<String>,
}

impl Engine {
    pub async fn sign_in(&self, command: SignIn, origin: &Origin) -> Result<StartedSession> {
        self.0.attempts.from_address(origin)?;
        let email = Email::parse(&command.email).map_err(|message| Refusal::invalid("email", message))?;
        self.0.attempts.on_account(&email, origin)?;

        let accounts = self.store().accounts_by_email(&email, command.workspace.as_deref()).await?;
        let mut fitting = Vec::new();
        for account in &accounts {
            let fits = self.0.passwords.verify(command.password.clone(), account.password_hash.clone()).await?;
            if fits && account.user.disabled_at.is_none() {
                fitting.push(account);
            }
        }
        if accounts.is_empty() {
            // Takes as long as a wrong password: the answer's time tells nobody whether the account exists.
            self.0.passwords.verify(command.password, None).await?;
        }
        match fitting.as_slice() {
            [account] => {
                let tx = self.begin(origin).await?;
                // Checking the password took a while: it may have been changed, or the person locked out.
                let scope = Scope::as_user(account.user.workspace, account.user.id);
                let same = |held: &Held| held.password_hash == account.password_hash && held.user.disabled_at.is_none();
                if !tx.hold_user(scope, account.user.id).await?.is_some_and(|held| same(&held)) {
                    drop(tx);
                    return self.refuse_sign_in(&accounts, origin).await;
                }
                self.0.attempts.succeeded(&email, origin);
                self.start_session(tx, &account.user, "password", false, origin).await
            }
            [] => self.refuse_sign_in(&accounts, origin).await,
            several => {
                let slugs: Vec<&str> = several.iter().map(|account| account.workspace_slug.as_str()).collect();
                let message =
                    format!("this account exists in several workspaces: give `workspace`, one of {}", slugs.join(", "));
                Err(Refusal::at("workspace", Code::WorkspaceRequired, message).into())
            }
        }
    }

    async fn refuse_sign_in(&self, accounts: &[Account], origin: &Origin) -> Result<StartedSession> {
        metrics::counter!(SIGN_INS, "outcome" => "refused").increment(1);
        if !accounts.is_empty() {
            let mut tx = self.begin(origin).await?;
            for account in accounts {
                let scope = Scope::system(account.user.workspace);
                tx.audit(scope, Action::SignInRefused, Some(account.user.id.into()), json!({"method": "password"}));
            }
            tx.commit().await?;
        }
        Err(Refusal::new(Code::InvalidCredentials, "the e-mail address or the password is wrong").into())
    }
}
