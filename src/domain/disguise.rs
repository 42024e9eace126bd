//! Names that could be taken for others: characters that cannot be seen, and letters of another script that look the same.

use unicode_script::{Script, ScriptExtension, UnicodeScript};

/// What fonts draw as nothing at all: Unicode's Default_Ignorable_Code_Point, and a Braille pattern without a dot.
const INVISIBLE: [(u32, u32); 18] = [
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
];

/// Scripts in which people write names with joiners between the letters, which then look different.
const WITH_JOINERS: [Script; 12] = [
    Script::Arabic,
    Script::Bengali,
    Script::Devanagari,
    Script::Gujarati,
    Script::Gurmukhi,
    Script::Kannada,
    Script::Malayalam,
    Script::Mongolian,
    Script::Oriya,
    Script::Sinhala,
    Script::Tamil,
    Script::Telugu,
];

/// Why a name could be taken for another one.
pub fn disguise(text: &str) -> Option<String> {
    if let Some(found) = text.chars().find(|c| is_invisible(*c)) {
        return Some(told(found));
    }
    let (found, script) = foreign(text)?;
    Some(match script {
        Script::Unknown => {
            format!("has the character U+{:04X}, which belongs to no script: remove it", u32::from(found))
        }
        _ => mixed(found, script),
    })
}

/// Scripts with letters that fonts draw like those of another one.
const ALIKE: [Script; 6] =
    [Script::Latin, Script::Cyrillic, Script::Greek, Script::Armenian, Script::Cherokee, Script::Coptic];

/// Why a name could be taken for another one because letters of two scripts look alike. Other scripts may stand together,
/// as people write them.
pub fn alike(text: &str) -> Option<String> {
    let mut letters = text.chars().map(|c| (c, c.script())).filter(|(_, script)| ALIKE.contains(script));
    let (_, first) = letters.next()?;
    let (found, script) = letters.find(|(_, script)| *script != first)?;
    Some(mixed(found, script))
}

/// Why a name does not look like what it is, whatever scripts it is written in: people are called as they are called.
pub fn invisible(text: &str) -> Option<String> {
    let characters: Vec<char> = text.chars().collect();
    let found = characters.iter().enumerate().find(|(at, c)| is_invisible(**c) && !is_seen(&characters, *at));
    found.map(|(_, c)| told(*c))
}

/// Whether a character that is not seen on its own changes what stands beside it: letters that join, and pictures.
fn is_seen(characters: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|at| characters.get(at)).copied();
    let after = at.checked_add(1).and_then(|at| characters.get(at)).copied();
    let joins = |c: Option<char>| c.map(|c| c.script()).filter(|script| WITH_JOINERS.contains(script));
    match characters[at] {
        '\u{200D}' if before.is_some_and(is_picture) => after.is_some_and(is_picture),
        '\u{200C}' | '\u{200D}' => joins(before).is_some() && joins(before) == joins(after),
        '\u{FE0F}' => before.is_some_and(is_picture) || after == Some('\u{20E3}'),
        _ => false,
    }
}

/// Symbols and pictures, of which emoji are made.
fn is_picture(c: char) -> bool {
    matches!(c, '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{2BFF}' | '\u{FE0F}' | '\u{1F000}'..='\u{1FAFF}')
}

fn mixed(found: char, script: Script) -> String {
    let (code, name) = (u32::from(found), script.full_name());
    format!("mixes scripts: `{found}` (U+{code:04X}) is {name}. Write the whole name in one script")
}

fn told(found: char) -> String {
    format!("has the invisible character U+{:04X}: remove it", u32::from(found))
}

fn is_invisible(c: char) -> bool {
    let code = u32::from(c);
    INVISIBLE.iter().any(|(first, last)| (*first..=*last).contains(&code)) || matches!(code, 0x2028 | 0x2029)
}

/// The first character that does not belong to the script of those before it. Latin letters may stand beside Chinese,
/// Japanese and Korean, as people there write: these look like no Latin letter.
fn foreign(text: &str) -> Option<(char, Script)> {
    let mut common = ScriptExtension::default();
    for found in text.chars() {
        common.intersect_with(of_script(found));
        if common.is_empty() {
            return Some((found, found.script()));
        }
    }
    None
}

/// The scripts that a character can be of. Whatever belongs to East Asian writing systems belongs to each script that is
/// written together with it.
fn of_script(found: char) -> ScriptExtension {
    let scripts = found.script_extension();
    let east_asian = [Script::Han, Script::Hiragana, Script::Katakana, Script::Hangul, Script::Bopomofo];
    if east_asian.into_iter().any(|script| scripts.contains_script(script)) {
        return ScriptExtension::from(Script::Common);
    }
    scripts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_called_as_they_are_called() {
        for name in [
            "Ada",
            "Ђорђе Beta",
            "李 Wei",
            "علی\u{200C}رضا",
            "श्री\u{200D}कान्त",
            "Σοφία (Sofia)",
            "O’Brien-Łukasz",
            "🏃🏽‍♀️ 1️⃣ ⚙️",
        ] {
            assert_eq!(invisible(name), None, "{name}");
        }
        for (name, code) in [
            ("Ad\u{202E}a", "U+202E"),
            ("Ada\u{200B}", "U+200B"),
            ("A\u{200C}da", "U+200C"),
            ("علی\u{200C}", "U+200C"),
            ("علی\u{200C}Ada", "U+200C"),
            ("\u{3164}", "U+3164"),
            ("Ada\u{FE0F}", "U+FE0F"),
            ("🏃\u{200D}Ada", "U+200D"),
            ("Ada\u{2028}", "U+2028"),
        ] {
            assert!(invisible(name).is_some_and(|why| why.contains(code)), "{}", name.escape_debug());
        }
    }

    #[test]
    fn letters_that_look_alike_do_not_stand_together() {
        for name in ["Payments", "Платежи", "Größe 🏃🏽‍♀️ שלום", "返金 refund", "Πληρωμές 2"]
        {
            assert_eq!(alike(name), None, "{name}");
        }
        assert!(alike("Pаyments").is_some_and(|why| why.contains("U+0430") && why.contains("Cyrillic")));
        assert!(alike("Ρayments").is_some_and(|why| why.contains("mixes scripts")));
    }
}
