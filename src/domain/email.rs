//! E-mail addresses, as far as a server that does not own the mailbox can judge them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A plausible address in lower case, so that one mailbox is one account. What is read back was one when it was kept.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Email(String);

impl Email {
    /// The limit of an address in SMTP.
    const MAX_BYTES: usize = 254;

    /// Takes an address, or says what would be one.
    pub fn parse(text: &str) -> Result<Self, String> {
        let trimmed = text.trim();
        let plausible = trimmed.len() <= Self::MAX_BYTES
            && !trimmed.chars().any(|c| c.is_whitespace() || c.is_control())
            && trimmed.split_once('@').is_some_and(|(local, domain)| {
                !local.is_empty() && !domain.is_empty() && !domain.contains('@') && !domain.starts_with('.')
            });
        if plausible {
            Ok(Self(trimmed.to_lowercase()))
        } else {
            let shown: String = trimmed.chars().take(64).collect();
            Err(format!(
                "`{}` is not an e-mail address: expected something like `ada@example.com`",
                shown.escape_debug()
            ))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Personal data: shown where it is asked for, never by accident in a log.
impl fmt::Debug for Email {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Email(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mailbox_is_one_account() {
        assert_eq!(Email::parse(" Ada@Example.COM ").map(|email| email.0), Ok("ada@example.com".to_owned()));
    }

    #[test]
    fn explains_what_is_not_an_address() {
        for text in ["", "ada", "@example.com", "ada@", "a b@example.com", "a@b@c", "a\0@b", "a@.b"] {
            assert!(Email::parse(text).is_err(), "{text:?}");
        }
        assert!(Email::parse(&format!("{}@example.com", "a".repeat(300))).is_err());
    }
}
