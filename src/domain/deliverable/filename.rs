//! Names that are safe on every disk, and differ from each other.

use std::collections::{HashMap, HashSet};

/// What file systems allow, with room for a number.
const LONGEST: usize = 200;
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// A name that is a plain file on every system.
pub fn safe(name: &str) -> String {
    let forbidden = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|');
    let replaced: String = name.chars().map(|c| if forbidden(c) { '_' } else { c }).collect();
    // Windows drops dots and spaces at the end; elsewhere a dot at the beginning hides a file.
    let trimmed = replaced.trim_end_matches(['.', ' ']).trim_start();
    let mut safe = shortened(trimmed, LONGEST);
    if safe.is_empty() || safe.starts_with('.') || is_device(&safe) {
        safe.insert(0, '_');
    }
    safe
}

/// `CON`, `nul.txt`, `COM1.log` and the like are devices on Windows, whatever follows the dot.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    DEVICES.iter().any(|device| match stem.strip_prefix(device) {
        Some("") => !matches!(*device, "com" | "lpt"),
        Some(number) => matches!(*device, "com" | "lpt") && number.len() == 1 && number.as_bytes()[0].is_ascii_digit(),
        None => false,
    })
}

/// At most so many bytes, with the extension if there is one.
fn shortened(name: &str, most: usize) -> String {
    if name.len() <= most {
        return name.to_owned();
    }
    let (stem, extension) = split(name);
    let extension = if extension.len() <= 20 { extension } else { "" };
    let mut end = most - extension.len();
    while !stem.is_char_boundary(end.min(stem.len())) {
        end -= 1;
    }
    format!("{}{extension}", &stem[..end.min(stem.len())])
}

/// The name without its extension, and the extension with its dot.
fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(dot) if dot > 0 => name.split_at(dot),
        _ => (name, ""),
    }
}

/// Gives names that differ, also where case does not count.
#[derive(Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
    /// The number to try next behind a name: ten thousand files may have the same.
    next: HashMap<String, usize>,
}

impl Names {
    pub fn unique(&mut self, name: &str) -> String {
        let name = safe(name);
        let lower = name.to_lowercase();
        if self.taken.insert(lower.clone()) {
            return name;
        }
        let (stem, extension) = split(&name);
        let next = self.next.entry(lower).or_insert(2);
        loop {
            let candidate = format!("{stem} ({next}){extension}");
            *next += 1;
            if self.taken.insert(candidate.to_lowercase()) {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_folder() {
        for (name, expected) in [
            ("report.md", "report.md"),
            ("../../etc/passwd", "_.._.._etc_passwd"),
            ("C:\\x", "C__x"),
            ("a\nb", "a_b"),
            ("CON", "_CON"),
            ("nul.txt", "_nul.txt"),
            ("com1.log", "_com1.log"),
            ("common.log", "common.log"),
            ("com.txt", "com.txt"),
            (".", "_"),
            (".hidden", "_.hidden"),
            ("x. .", "x"),
            ("", "_"),
        ] {
            assert_eq!(safe(name), expected, "{name:?}");
        }
        let long = safe(&format!("{}.md", "é".repeat(300)));
        assert!(long.len() <= LONGEST && long.ends_with("é.md"), "{long}");
    }

    #[test]
    fn no_two_are_the_same() {
        let mut names = Names::default();
        let given = ["a.md", "A.md", "a (2).md", "a.md", "b"].map(|name| names.unique(name));
        assert_eq!(given, ["a.md", "A (2).md", "a (2) (2).md", "a (3).md", "b"]);
    }
}
