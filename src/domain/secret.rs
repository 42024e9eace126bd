//! Secrets of a workspace: values that agents refer to by name and that nobody reads again.

const LONGEST_NAME: usize = 64;

/// What a name looks like, for messages.
pub const NAME_RULE: &str = "use 1 to 64 letters, digits and underscores, not a digit first";

/// Whether a text can name a secret, which is then written `{{ secret.NAME }}`.
pub fn is_name(text: &str) -> bool {
    text.len() <= LONGEST_NAME
        && text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
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
