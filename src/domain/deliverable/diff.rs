//! How two versions of a text differ.

use std::time::Duration;

use similar::{Algorithm, ChangeTag, TextDiff};

/// The largest content that is compared, in bytes.
pub const LARGEST_COMPARED: usize = 1024 * 1024;
/// A difference that is not found by then is shown less finely.
const PATIENCE: Duration = Duration::from_millis(500);
const CONTEXT: usize = 3;

/// A unified diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    pub text: String,
    pub added: usize,
    pub removed: usize,
}

/// The unified diff of two texts, with a heading for each. Empty where they are the same.
pub fn unified(old: &str, new: &str, headings: (&str, &str)) -> Difference {
    let diff = TextDiff::configure().algorithm(Algorithm::Myers).timeout(PATIENCE).diff_lines(old, new);
    let count = |tag: ChangeTag| diff.iter_all_changes().filter(|change| change.tag() == tag).count();
    Difference {
        added: count(ChangeTag::Insert),
        removed: count(ChangeTag::Delete),
        text: diff.unified_diff().context_radius(CONTEXT).header(headings.0, headings.1).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_compared() {
        let diff = unified("a\nb\nc\n", "a\nB\nc\n", ("x (version 1)", "x (version 2)"));
        assert_eq!(diff.text, "--- x (version 1)\n+++ x (version 2)\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
        assert_eq!((diff.added, diff.removed), (1, 1));
        assert_eq!(unified("a\n", "a\n", ("x", "y")).text, "");
    }

    #[test]
    fn two_texts_that_have_nothing_in_common_take_no_longer() {
        let old: String = (0..60_000).map(|n| format!("a{n}\n")).collect();
        let new: String = (0..60_000).map(|n| format!("b{n}\n")).collect();
        let began = std::time::Instant::now();
        assert_eq!(unified(&old, &new, ("x", "y")).removed, 60_000);
        assert!(began.elapsed() < Duration::from_secs(20));
    }
}
