//! A gradual rollout: some of the matching proposals are in, the same ones every time.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::domain::{canonical::canonical, json::Json};

const STEPS: u32 = 10_000;

/// What a proposal draws by: who wants what. It has nothing that differs when the same is asked for again, such as an id,
/// and nothing that can be said in other words, such as a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    pub fn new(requester: Uuid, operation_type: &str, parameters: &Json, items: Option<&Json>) -> Self {
        let items = items.map_or(Value::Null, Json::to_value);
        let content = json!([requester.to_string(), operation_type, parameters.to_value(), items]);
        Self(Sha256::digest(canonical(&content).as_bytes()).into())
    }
}

/// What part of the matching proposals a rule may approve, in hundredths of a percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rollout(u32);

impl Rollout {
    /// From 0, which is never, to 100, which is always.
    pub fn of_percentage(percentage: f64) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is from 0 to 10,000")]
        (0.0..=100.0).contains(&percentage).then(|| Self((percentage * 100.0).round() as u32))
    }

    /// Whether a key is in. Raising the percentage keeps those that are in already.
    pub fn includes(self, rule: &str, key: &Key) -> bool {
        draw(rule, key) < self.0
    }
}

impl std::fmt::Display for Rollout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", f64::from(self.0) / 100.0)
    }
}

/// The number that a key draws for a rule, from 0 to 9,999. Another rule draws another one.
fn draw(rule: &str, key: &Key) -> u32 {
    let digest = Sha256::new().chain_update(rule).chain_update(key.0).finalize();
    let first = digest.iter().take(8).fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    // What 2^64 leaves over after 10,000 is far too little to be unfair.
    u32::try_from(first % u64::from(STEPS)).unwrap_or(STEPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(requester: u128, operation_type: &str, parameters: &str) -> Key {
        Key::new(Uuid::from_u128(requester), operation_type, &Json::parse(parameters).expect("JSON"), None)
    }

    fn keys() -> impl Iterator<Item = Key> {
        (0..10_000_u32).map(|number| key(7, "refund", &format!(r#"{{"order":{number}}}"#)))
    }

    fn rollout(percentage: f64) -> Rollout {
        Rollout::of_percentage(percentage).expect("a percentage")
    }

    #[test]
    fn raising_the_percentage_keeps_those_who_are_in() {
        let percentages = [0.0, 0.01, 0.5, 12.34, 25.0, 50.0, 99.99, 100.0];
        for key in keys().take(2_000) {
            let included = percentages.map(|percentage| rollout(percentage).includes("Small refunds", &key));
            assert!(included.is_sorted(), "{key:?}: {included:?}");
            assert!(!included[0] && included[7]);
        }
    }

    #[test]
    fn the_draw_is_fair_and_differs_by_rule() {
        for (percentage, around) in [(1.0, 50..150), (25.0, 2_300..2_700), (90.0, 8_850..9_150)] {
            let included = |rule: &str| keys().filter(|key| rollout(percentage).includes(rule, key)).count();
            assert!(around.contains(&included("Small refunds")), "{percentage}");
            assert!(around.contains(&included("Lookups")), "{percentage}");
        }
        let differs = |key: &Key| rollout(50.0).includes("a", key) != rollout(50.0).includes("b", key);
        assert!((4_500..5_500).contains(&keys().filter(differs).count()));
    }

    /// Whoever is in must stay in when the server is updated.
    #[test]
    fn the_draw_never_changes() {
        let drawn = [0, 1, u128::MAX].map(|requester| draw("Small refunds", &key(requester, "refund", "{}")));
        assert_eq!(drawn, [6_334, 5_758, 5_239]);
    }

    #[test]
    fn the_same_content_draws_the_same_however_it_is_written() {
        let first = key(1, "refund", r#"{"a":1.50,"b":[10]}"#);
        assert_eq!(first, key(1, "refund", r#"{ "b": [1e1], "a": 1.5 }"#));
        for other in [
            key(2, "refund", r#"{"a":1.50,"b":[10]}"#),
            key(1, "payout", r#"{"a":1.50,"b":[10]}"#),
            key(1, "refund", r#"{"a":1.51,"b":[10]}"#),
        ] {
            assert_ne!(first, other);
        }
        let items = Json::parse(r#"[{"id":1}]"#).expect("JSON");
        let parameters = Json::parse("{}").expect("JSON");
        assert_ne!(key(1, "x", "{}"), Key::new(Uuid::from_u128(1), "x", &parameters, Some(&items)));
    }

    #[test]
    fn percentages_are_from_0_to_100() {
        for percentage in [-0.01, 100.01, f64::NAN, f64::INFINITY] {
            assert_eq!(Rollout::of_percentage(percentage), None);
        }
        assert_eq!(rollout(0.07), Rollout(7));
        assert_eq!([rollout(25.0).to_string(), rollout(0.25).to_string()], ["25", "0.25"]);
    }
}
