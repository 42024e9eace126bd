//! The rules for what comes in with a deliverable.

use url::Url;

use crate::domain::{name, refusal::Refusal};

const LONGEST_NAME: usize = 255;
const LONGEST_MIME_TYPE: usize = 200;
const LONGEST_URL: usize = 2_000;

/// Checks a name: it becomes a file's name on somebody's disk, so it has no path and nothing that cannot be seen.
pub fn check_name(field: &'static str, text: &str) -> Result<String, Refusal> {
    let name = name::check(field, text, LONGEST_NAME)?;
    let invisible = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    if let Some(found) = name.chars().find(|c| invisible(*c)) {
        let message = format!("`{field}` has the control character U+{:04X}, which is not allowed", u32::from(found));
        return Err(Refusal::invalid(field, message));
    }
    if name.contains(['/', '\\']) || name == "." || name == ".." {
        let message = format!("`{field}` is `{name}`: give a name without a path, as in `report.md`");
        return Err(Refusal::invalid(field, message));
    }
    Ok(name)
}

/// Checks a MIME type, as in `text/markdown; charset=utf-8`.
pub fn check_mime_type(field: &'static str, text: &str) -> Result<String, Refusal> {
    let parsed = text.trim().parse::<mime::Mime>().ok();
    let known = parsed.filter(|mime| mime.type_() != mime::STAR && mime.subtype() != mime::STAR);
    match known.filter(|_| text.len() <= LONGEST_MIME_TYPE && text.is_ascii()) {
        Some(mime) => Ok(mime.to_string()),
        None => {
            let shown: String = text.chars().take(64).collect();
            let message = format!("`{field}` is `{}`: give a MIME type, as in `text/markdown`", shown.escape_debug());
            Err(Refusal::invalid(field, message))
        }
    }
}

/// Checks the address of something that is kept elsewhere.
pub fn check_url(field: &'static str, text: &str) -> Result<String, Refusal> {
    let shown = || text.chars().take(64).collect::<String>().escape_debug().to_string();
    let wrong = |what: &str| Refusal::invalid(field, format!("`{field}` is `{}`: {what}", shown()));
    if text.chars().count() > LONGEST_URL {
        return Err(wrong("give at most 2,000 characters"));
    }
    let url = Url::parse(text).map_err(|_| wrong("give a whole URL, as in `https://example.com/pull/7`"))?;
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return Err(wrong("only `https://` and `http://` are allowed"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("a name or a password in it would be shown to everybody: leave it out"));
    }
    Ok(url.into())
}

/// Checks a SHA-256 in hexadecimal.
pub fn check_hash(field: &'static str, text: &str) -> Result<String, Refusal> {
    let hash = text.to_ascii_lowercase();
    if hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(hash);
    }
    let message =
        format!("`{field}` has {} characters: give the SHA-256 as 64 hexadecimal digits", text.chars().count());
    Err(Refusal::invalid(field, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_a_name() {
        assert_eq!(check_name("name", " Größe 1.md "), Ok("Größe 1.md".to_owned()));
        for name in ["", " ", ".", "..", "a/b", "a\\b", "../etc/passwd", "a\nb", "a\tb", "a\0b", "a\u{202e}gpj.exe"] {
            assert!(check_name("name", name).is_err(), "{name:?}");
        }
        assert!(check_name("name", &"a".repeat(255)).is_ok());
        assert!(check_name("name", &"a".repeat(1000)).is_err());
    }

    #[test]
    fn a_mime_type_is_one() {
        assert_eq!(check_mime_type("mimeType", "Text/HTML; charset=UTF-8"), Ok("text/html; charset=utf-8".to_owned()));
        for text in ["", "text", "*/*", "text/*", "text/html\r\nx: y", &format!("text/{}", "a".repeat(300))] {
            assert!(check_mime_type("mimeType", text).is_err(), "{text}");
        }
    }

    #[test]
    fn only_the_web_is_elsewhere() {
        assert!(check_url("url", "https://example.com/pull/7?a=b#c").is_ok());
        for text in
            ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "//example.com", "x", "https://u:p@h/"]
        {
            assert!(check_url("url", text).is_err(), "{text}");
        }
    }
}
