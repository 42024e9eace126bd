//! The rules for what people call things.

use super::{disguise, refusal::Refusal};

/// Checks what people and groups are called, in whatever scripts: nothing in it may be invisible.
pub fn check_seen(field: &'static str, text: &str, max: usize) -> Result<String, Refusal> {
    honest(field, check(field, text, max)?, disguise::invisible)
}

/// Checks the name of something that is chosen, allowed or approved by its name: nothing in it may be invisible, and no
/// letters of different scripts stand in it that look alike.
pub fn check_distinct(field: &'static str, text: &str, max: usize) -> Result<String, Refusal> {
    honest(field, check_seen(field, text, max)?, disguise::alike)
}

fn honest(field: &'static str, name: String, why: impl Fn(&str) -> Option<String>) -> Result<String, Refusal> {
    match why(&name) {
        Some(why) => Err(Refusal::invalid(field, format!("`{field}` {why}"))),
        None => Ok(name),
    }
}

/// Checks a short text, also one by which programs know something: trimmed, not empty, at most `max` characters, no
/// control characters.
pub fn check(field: &'static str, text: &str, max: usize) -> Result<String, Refusal> {
    let trimmed = text.trim();
    let length = trimmed.chars().count();
    if length == 0 {
        Err(Refusal::invalid(field, format!("`{field}` is empty: give 1 to {max} characters")))
    } else if length > max {
        Err(Refusal::invalid(field, format!("`{field}` has {length} characters: at most {max} are allowed")))
    } else {
        check_text(field, trimmed, max)
    }
}

/// Checks a longer text that may be empty and may have line breaks.
pub fn check_text(field: &'static str, text: &str, max: usize) -> Result<String, Refusal> {
    let length = text.chars().count();
    if length > max {
        return Err(Refusal::invalid(field, format!("`{field}` has {length} characters: at most {max} are allowed")));
    }
    match text.chars().find(|c| c.is_control() && *c != '\n' && *c != '\t') {
        Some(control) => Err(Refusal::invalid(
            field,
            format!("`{field}` has the control character U+{:04X}, which is not allowed", u32::from(control)),
        )),
        None => Ok(text.to_owned()),
    }
}

/// Checks a workspace's short name as it appears in URLs and commands.
pub fn check_slug(field: &'static str, text: &str) -> Result<String, Refusal> {
    let fits = (1..=63).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-');
    if fits {
        Ok(text.to_owned())
    } else {
        let shown: String = text.chars().take(64).collect();
        Err(Refusal::invalid(
            field,
            format!("`{}` is not a slug: use 1 to 63 of a-z, 0-9 and inner hyphens", shown.escape_debug()),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_trimmed_and_bounded() {
        assert_eq!(check("name", "  Finance ", 10), Ok("Finance".to_owned()));
        assert!(check("name", " ", 10).is_err());
        assert!(check("name", "0123456789a", 10).is_err());
        assert_eq!(
            check("name", "a\0b", 10).map_err(|refusal| refusal.message.into_owned()),
            Err("`name` has the control character U+0000, which is not allowed".to_owned())
        );
    }

    #[test]
    fn names_are_what_they_look_like() {
        let message = |checked: Result<String, Refusal>| checked.map_err(|refusal| refusal.message.into_owned());
        let invisible = Err("`name` has the invisible character U+202E: remove it".to_owned());
        assert_eq!(message(check_seen("name", "Ad\u{202E}a", 10)), invisible);
        assert_eq!(message(check_distinct("name", "Ad\u{202E}a", 10)), invisible);
        assert_eq!(check_seen("name", " Ђорђе B ", 10), Ok("Ђорђе B".to_owned()));
        assert!(check_distinct("name", "Pаyments", 10).is_err(), "a Cyrillic letter among Latin ones");
    }

    #[test]
    fn slugs_are_safe_in_urls() {
        assert_eq!(check_slug("slug", "team-1"), Ok("team-1".to_owned()));
        for text in ["", "-a", "a-", "A", "a b", "é", &"a".repeat(64)] {
            assert!(check_slug("slug", text).is_err(), "{text}");
        }
    }
}
