//! Secrets of workspaces: sealed in the database, and opened for the one call that may have them.

mod bindings;
mod forms;
mod redact;
mod sealing;

use std::collections::BTreeMap;

use secrecy::SecretString;

use super::{Engine, Result as EngineResult};
use crate::domain::{access::Scope, agent::Http, id::WorkspaceId};

pub use sealing::Sealer;

/// Secrets by name, as far as they could be had.
#[derive(Debug, Default)]
pub struct Secrets(BTreeMap<String, Result<SecretString, Unusable>>);

/// Why a secret cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// The workspace has none of this name.
    Missing,
    /// It was sealed with a key that this server does not have.
    Sealed,
    /// No admin has said yet to which hosts it may be sent.
    Unbound,
    /// It may not be sent to this host.
    OtherHost,
    /// It is for other agents.
    OtherAgent,
}

impl Secrets {
    pub fn insert(&mut self, name: impl Into<String>, value: Result<SecretString, Unusable>) {
        self.0.insert(name.into(), value);
    }

    pub fn get(&self, name: &str) -> Result<&SecretString, Unusable> {
        match self.0.get(name) {
            Some(Ok(value)) => Ok(value),
            Some(Err(unusable)) => Err(*unusable),
            None => Err(Unusable::Missing),
        }
    }
}

impl Engine {
    /// Loads and opens those secrets of a workspace that an agent's call names and may have. One that cannot be had is
    /// an error only for those who use it, and is not even opened when it is for others.
    pub async fn secrets_for(&self, workspace: WorkspaceId, agent: &str, http: &Http) -> EngineResult<Secrets> {
        let mut secrets = Secrets::default();
        let names: Vec<String> = http.secrets().into_iter().collect();
        if names.is_empty() {
            return Ok(secrets);
        }
        for (secret, sealed) in self.store().sealed_secrets(Scope::system(workspace), &names).await? {
            if let Err(unusable) = bindings::check(secret.binding.as_ref(), agent, http) {
                secrets.insert(secret.name, Err(unusable));
                continue;
            }
            let value = self.sealer().open_value(workspace, &secret.name, &sealed).ok_or(Unusable::Sealed);
            if value.is_err() {
                tracing::error!(
                    %workspace,
                    name = secret.name,
                    "cannot open a secret: it was sealed with another key than the one of the setting `secret-key`, \
                     or of the database when that is absent; give the server that key again, or set the secret anew"
                );
            }
            secrets.insert(secret.name, value);
        }
        Ok(secrets)
    }
}
