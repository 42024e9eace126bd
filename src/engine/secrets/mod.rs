//! Secrets of workspaces: sealed in the database, and opened for the one call that needs them.

mod sealing;

use std::collections::BTreeMap;

use secrecy::{ExposeSecret, SecretString};

use super::{Engine, Result as EngineResult};
use crate::domain::{access::Scope, agent::http::percent_encoded, id::WorkspaceId};

pub use sealing::Sealer;

/// What stands in place of a secret wherever a text is shown.
const MASK: &str = "•••";

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

    /// A text without these secrets in it, whether plain, as in a URL or as in JSON.
    pub fn redact(&self, text: &str) -> String {
        let values = self.0.values().filter_map(|value| value.as_ref().ok()).map(ExposeSecret::expose_secret);
        let mut forms: Vec<String> = values
            .flat_map(|value| {
                let quoted = serde_json::Value::from(value).to_string();
                let quoted = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default();
                [value.to_owned(), percent_encoded(value), quoted.to_owned()]
            })
            .filter(|form| !form.is_empty())
            .collect();
        // One may be the beginning of another, whose rest would stay.
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms.iter().fold(text.to_owned(), |text, form| text.replace(form, MASK))
    }
}

impl Engine {
    /// Loads and opens those secrets of a workspace that are named. One that cannot be had is an error only for
    /// whoever uses it.
    pub async fn secrets_for(&self, workspace: WorkspaceId, names: &[String]) -> EngineResult<Secrets> {
        let mut secrets = Secrets::default();
        if names.is_empty() {
            return Ok(secrets);
        }
        for (name, sealed) in self.store().sealed_secrets(Scope::system(workspace), names).await? {
            let value = self.sealer().open_value(workspace, &name, &sealed).ok_or(Unusable::Sealed);
            if value.is_err() {
                tracing::error!(
                    %workspace,
                    name,
                    "cannot open a secret: it was sealed with another key than the one of the setting `secret-key`, \
                     or of the database when that is absent; give the server that key again, or set the secret anew"
                );
            }
            secrets.insert(name, value);
        }
        Ok(secrets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_form_of_a_secret_is_left() {
        let mut secrets = Secrets::default();
        secrets.insert("SHORT", Ok("p\"w /".into()));
        secrets.insert("LONG", Ok("p\"w /and more".into()));
        secrets.insert("NONE", Err(Unusable::Missing));
        let text = r#"a p"w / b {"x":"p\"w /and more"} c ?k=p%22w%20%2F"#;
        assert_eq!(secrets.redact(text), r#"a ••• b {"x":"•••"} c ?k=•••"#);
        assert!(!format!("{secrets:?}").contains("more"));
    }
}
