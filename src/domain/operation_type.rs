//! The names of kinds of actions, such as `refund`. Rules, tokens and catalogues are written for names, so a name that
//! only looks like another one must not exist.

use unicode_normalization::UnicodeNormalization;

use super::{disguise::disguise, name, refusal::Refusal};

pub const LONGEST: usize = 100;

/// Checks the name of a kind of action and gives it as it is kept: normalised by NFKC, with single spaces.
pub fn check(field: &'static str, text: &str) -> Result<String, Refusal> {
    let refuse = |why: String| Refusal::invalid(field, format!("`{field}` {why}"));
    // Before it is normalised, so that the character is named as the caller has sent it.
    if let Some(why) = disguise(text) {
        return Err(refuse(why));
    }
    let kept = name::check(field, &normal(text), LONGEST)?;
    match disguise(&kept) {
        Some(why) => Err(refuse(why)),
        None => Ok(kept),
    }
}

/// The form in which names are compared: two names with the same one are the same name.
pub fn comparable(text: &str) -> String {
    if text.is_ascii() && !text.contains("  ") {
        return text.trim().to_ascii_lowercase();
    }
    // Lower case can bring back what the normalisation has taken apart.
    normal(&normal(text).to_lowercase())
}

fn normal(text: &str) -> String {
    let text: String = text.nfkc().collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        check("operationType", text).map_err(|refusal| refusal.message.into_owned()).expect_err(text)
    }

    #[test]
    fn the_same_name_has_one_form() {
        for text in ["refund", "Refund", " REFUND ", "ｒｅｆｕｎｄ"] {
            assert_eq!(comparable(text), "refund", "{text}");
        }
        assert_eq!(comparable("re\u{FB01}ll"), "refill");
        assert_eq!(comparable("big\u{a0} refund"), "big refund");
        assert_eq!(comparable("\u{212A}elvin"), "kelvin");
        assert_eq!(comparable("ру\u{301}бль"), comparable("РУ\u{301}БЛЬ"));
        assert_eq!(check("operationType", " Ｒefund ").expect("a name"), "Refund");
    }

    #[test]
    fn invisible_characters_are_named() {
        for (text, code) in [
            ("ref\u{200B}und", "U+200B"),
            ("refund\u{200D}", "U+200D"),
            ("\u{202E}refund", "U+202E"),
            ("re\u{AD}fund", "U+00AD"),
            ("refund\u{FEFF}", "U+FEFF"),
            ("refund\u{E0041}", "U+E0041"),
            ("refund\u{FE0F}", "U+FE0F"),
            ("refund\u{3164}", "U+3164"),
            ("refund\u{2800}", "U+2800"),
        ] {
            assert!(refused(text).contains(&format!("invisible character {code}")), "{}", refused(text));
        }
        assert!(refused("refund\u{0}").contains("U+0000"));
        assert!(refused("refund\u{E000}").contains("U+E000"));
        assert!(refused(" ").contains("empty"));
    }

    #[test]
    fn letters_of_two_scripts_are_named() {
        for (text, code) in [("r\u{435}fund", "U+0435"), ("\u{440}efund", "U+0065"), ("ref\u{3C5}nd", "U+03C5")] {
            assert!(refused(text).contains(code), "{}", refused(text));
        }
        assert!(refused("refund\u{440}").contains("Cyrillic"));
        for text in [
            "refund_2",
            "возврат",
            "返金",
            "返金 refund",
            "환불-refund",
            "επιστροφή",
            "remboursement à 100 %",
            "取り消し",
        ] {
            assert_eq!(check("operationType", text), Ok(text.to_owned()));
        }
    }
}
