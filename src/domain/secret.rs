//! Secrets of a workspace: values that agents refer to by name and that nobody reads again.

mod binding;

use super::refusal::Refusal;

pub use binding::{Binding, HostRule, NotFor, check_agents, check_hosts};

const LONGEST_NAME: usize = 64;
const LONGEST_VALUE: usize = 65_536;

/// What a name looks like, for messages.
pub const NAME_RULE: &str = "use 1 to 64 letters, digits and underscores, not a digit first";

/// Whether a text can name a secret, which is then written `{{ secret.NAME }}`.
pub fn is_name(text: &str) -> bool {
    text.len() <= LONGEST_NAME
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Checks the name of a new secret.
pub fn check_name(field: &'static str, text: &str) -> Result<String, Refusal> {
    if is_name(text) {
        return Ok(text.to_owned());
    }
    let shown: String = text.chars().take(LONGEST_NAME).collect();
    Err(Refusal::invalid(field, format!("`{}` is not the name of a secret: {NAME_RULE}", shown.escape_debug())))
}

/// Checks a value without repeating it.
pub fn check_value(field: &'static str, value: &str) -> Result<(), Refusal> {
    let length = value.len();
    if (1..=LONGEST_VALUE).contains(&length) {
        return Ok(());
    }
    Err(Refusal::invalid(field, format!("`{field}` has {length} bytes: give 1 to {LONGEST_VALUE}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_look_like_names() {
        for name in ["A", "_", "api_key_2", &"a".repeat(64)] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "2a", "a-b", "a b", "é", "a.b", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }
}
