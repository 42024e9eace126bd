//! Rules that are tried out on paper, and how they earn and lose the right to approve.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::domain::{canonical::canonical, words::words};

words! {
    /// Whether an auto-approval rule approves.
    Mode {
        /// It does.
        Live = "LIVE",
        /// It says what it would do, and people decide.
        Shadow = "SHADOW",
    }
}

/// How often people must have agreed, among the last so many decisions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// From 0 to 1.
    pub agreement: f64,
    pub over: u32,
}

impl Threshold {
    /// How many decisions count where the document does not say.
    pub const DEFAULT_OVER: u32 = 50;
}

/// How often people agreed with a rule lately.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agreement {
    pub agreed: u32,
    pub of: u32,
}

impl Agreement {
    /// The newest first; those beyond `over` do not count.
    pub fn over(over: u32, verdicts: impl IntoIterator<Item = bool>) -> Self {
        let mut found = Self { agreed: 0, of: 0 };
        for agreed in verdicts.into_iter().take(usize::try_from(over).unwrap_or(usize::MAX)) {
            found.of += 1;
            found.agreed += u32::from(agreed);
        }
        found
    }

    /// From 0 to 1; nothing before anybody decided.
    pub fn rate(self) -> Option<f64> {
        (self.of > 0).then(|| f64::from(self.agreed) / f64::from(self.of))
    }
}

/// A rule about which a decision of people says something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Watched {
    pub rule: String,
    pub fingerprint: String,
}

/// What a rule is about: another one is another rule, whatever its name. The same conditions have the same.
pub fn fingerprint(conditions: &Value) -> Arc<str> {
    let digest = Sha256::digest(canonical(conditions).as_bytes());
    data_encoding::BASE64URL_NOPAD.encode(digest.get(..12).unwrap_or_default()).into()
}

/// What should become of a rule, given what people decided, the newest first.
pub fn next_mode(
    mode: Mode,
    promote_at: Option<Threshold>,
    demote_below: Option<Threshold>,
    verdicts: &[bool],
) -> Option<(Mode, Agreement)> {
    let over = |threshold: Threshold| Agreement::over(threshold.over, verdicts.iter().copied());
    match mode {
        Mode::Shadow => {
            let threshold = promote_at?;
            let found = over(threshold);
            let earned = found.of >= threshold.over && found.rate()? >= threshold.agreement;
            // What would be taken back at once is not given.
            let kept = demote_below.is_none_or(|below| over(below).rate().is_some_and(|rate| rate >= below.agreement));
            (earned && kept).then_some((Mode::Live, found))
        }
        Mode::Live => {
            let threshold = demote_below?;
            let found = over(threshold);
            (found.rate()? < threshold.agreement).then_some((Mode::Shadow, found))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMOTE: Threshold = Threshold { agreement: 0.9, over: 10 };
    const DEMOTE: Threshold = Threshold { agreement: 0.8, over: 5 };

    fn next(mode: Mode, verdicts: &[bool]) -> Option<Mode> {
        next_mode(mode, Some(PROMOTE), Some(DEMOTE), verdicts).map(|(mode, _)| mode)
    }

    #[test]
    fn a_rule_is_promoted_once_enough_people_have_agreed() {
        assert_eq!(next(Mode::Shadow, &[true; 9]), None, "too few");
        assert_eq!(next(Mode::Shadow, &[true; 10]), Some(Mode::Live));
        let mut verdicts = [true; 12];
        (verdicts[9], verdicts[10], verdicts[11]) = (false, false, false);
        assert_eq!(next(Mode::Shadow, &verdicts), Some(Mode::Live), "only the last ten count");
        verdicts[8] = false;
        assert_eq!(next(Mode::Shadow, &verdicts), None);
        assert_eq!(next_mode(Mode::Shadow, None, Some(DEMOTE), &[true; 100]), None, "nobody asked for it");
    }

    #[test]
    fn a_rule_is_demoted_once_too_many_have_not() {
        assert_eq!(next(Mode::Live, &[]), None);
        assert_eq!(next(Mode::Live, &[false, true, true, true, true]), None);
        assert_eq!(next(Mode::Live, &[false, false, true, true, true]), Some(Mode::Shadow));
        assert_eq!(next(Mode::Live, &[false]), Some(Mode::Shadow), "it need not go wrong five times");
        assert_eq!(next_mode(Mode::Live, Some(PROMOTE), None, &[false; 100]), None);
    }

    #[test]
    fn what_would_be_demoted_at_once_is_not_promoted() {
        let mut verdicts = [true; 10];
        verdicts[0] = false;
        let strict = Some(Threshold { agreement: 0.9, over: 5 });
        assert_eq!(next_mode(Mode::Shadow, Some(PROMOTE), strict, &verdicts), None);
    }
}
