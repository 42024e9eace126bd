//! The secrets that one call needs, opened.

use std::collections::BTreeMap;

use secrecy::{ExposeSecret, SecretString};

use crate::domain::agent::http::percent_encoded;

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
