//! What cannot be judged: people are rather asked.

use super::{Case, policy};
use crate::domain::policy::{Outcome, Policy};

/// The same conditions for a rule that asks and, alone, for one that approves.
fn rules(conditions: &str) -> (Policy, Policy) {
    let asks = policy(&format!("version: '1.0'\ncheckpoints: [{{name: A, trigger: {{{conditions}}}}}]"));
    let approves = policy(&format!(
        "version: '1.0'\nauto_approval: {{rules: [{{name: A, conditions: {{{conditions}}}, action: {{auto_approve: true}}}}]}}"
    ));
    (asks, approves)
}

fn matched(case: &Case, conditions: &str) -> (bool, bool) {
    let (asks, approves) = rules(conditions);
    let asked = matches!(case.evaluate(&asks).outcome, Outcome::Ask(_));
    let approved = matches!(case.evaluate(&approves).outcome, Outcome::AutoApproved(_));
    (asked, approved)
}

#[test]
fn what_is_absent_never_holds() {
    let case = Case { confidence: None, ..Case::new(r#"{"a":{"b":1},"l":[]}"#) };
    for operator in [
        "'>', value: 0",
        "'<=', value: 0",
        "'==', value: null",
        "'!=', value: 1",
        "in, value: [null]",
        "contains, value: a",
        "matches, value: ''",
    ] {
        for field in ["x", "a.c", "a.b.c", "l.0", "/a/c"] {
            for kind in ["data_threshold", "custom_field"] {
                let conditions = format!("{kind}: {{field: {field}, operator: {operator}}}");
                assert_eq!(matched(&case, &conditions), (false, false), "{conditions}");
            }
        }
    }
    for conditions in ["confidence: '>= 0'", "confidence: '< 1'", "confidence: '!= 0.5'"] {
        assert_eq!(matched(&case, conditions), (false, false), "{conditions}");
    }
}

#[test]
fn null_is_a_value() {
    let case = Case::new(r#"{"a":null}"#);
    assert_eq!(matched(&case, "data_threshold: {field: a, operator: '==', value: null}"), (true, true));
    assert_eq!(matched(&case, "data_threshold: {field: a, operator: '!=', value: null}"), (false, false));
    assert_eq!(matched(&case, "data_threshold: {field: a, operator: '>', value: 0}"), (true, false));
}

#[test]
fn in_doubt_people_are_asked() {
    let case = Case::new(r#"{"amount":"a lot","list":[1],"n":1}"#);
    for conditions in [
        "data_threshold: {field: amount, operator: '>', value: 1000}",
        "data_threshold: {field: amount, operator: '<', value: 1000}",
        "data_threshold: {field: list, operator: '<=', value: 1000}",
        "data_threshold: {field: amount, operator: contains, value: 1}",
        "data_threshold: {field: n, operator: contains, value: 1}",
        "data_threshold: {field: n, operator: matches, value: '1'}",
        "condition: proposal.params.missing > 1",
        "condition: proposal.params.amount > 1",
        "condition: proposal.params.amount",
        "condition: input.a.b.c",
    ] {
        assert_eq!(matched(&case, conditions), (true, false), "{conditions}");
    }
    for confidence in [f64::NAN, f64::INFINITY, -0.1, 90.0] {
        let case = Case { confidence: Some(confidence), ..case.clone() };
        assert_eq!(matched(&case, "confidence: '>= 0.9'"), (true, false), "{confidence}");
        assert_eq!(matched(&case, "confidence: '< 0.9'"), (true, false), "{confidence}");
    }
    // A condition in doubt does not make up for another one that does not hold.
    assert_eq!(
        matched(&case, "risk_level: high, data_threshold: {field: amount, operator: '>', value: 1}"),
        (false, false)
    );
}

#[test]
fn the_doubt_is_told() {
    let case = Case::new(r#"{"amount":"a lot"}"#);
    let (asks, approves) = rules("data_threshold: {field: amount, operator: '>', value: 1000}");
    assert_eq!(
        case.told(&asks),
        "A asks 1 of any: amount is a lot, for which `> 1000` means nothing, so people are asked to be safe: \
         only a number can be compared with a number"
    );
    let report = case.evaluate(&approves).auto_approvals.remove(0);
    assert_eq!(report.conditions[0].note.as_deref(), Some("only a number can be compared with a number"));
    let (asks, _) = rules("condition: proposal.params.sum > 1");
    assert_eq!(
        case.told(&asks),
        "A asks 1 of any: `proposal.params.sum > 1` cannot be evaluated, so people are asked to be safe: \
         no such key `sum` in `proposal.params`"
    );
}

/// In doubt a checkpoint rule matches, so that people are asked: it must not approve because of that.
#[test]
fn in_doubt_no_checkpoint_approves_by_itself() {
    let policy = policy(
        "version: '1.0'
checkpoints:
  - name: Small
    trigger: {risk_level: low, data_threshold: {field: amount, operator: '<', value: 100}}
    action: {auto_approve: true}",
    );
    assert!(Case::new(r#"{"amount":5}"#).told(&policy).starts_with("Small approves"));
    let doubtful = Case::new(r#"{"amount":"5"}"#).told(&policy);
    let expected = "`Small` would have approved, but it is not certain that it matches";
    assert!(doubtful.starts_with("Small asks 1 of any") && doubtful.ends_with(expected), "{doubtful}");
}

#[test]
fn numbers_are_compared_exactly() {
    let case = |amount: &str| Case::new(&format!(r#"{{"amount":{amount}}}"#));
    let big = "data_threshold: {field: amount, operator: '==', value: 123456789012345678901}";
    assert_eq!(matched(&case("123456789012345678901"), big), (true, true));
    assert_eq!(matched(&case("123456789012345678902"), big), (false, false));
    let tenth = "data_threshold: {field: amount, operator: '<=', value: 0.1}";
    assert_eq!(matched(&case("0.10"), tenth), (true, true));
    assert_eq!(matched(&case("0.10000000000000000001"), tenth), (false, false));
    assert_eq!(matched(&Case { confidence: Some(0.1 + 0.2), ..case("1") }, "confidence: '== 0.3'"), (false, false));
    assert_eq!(matched(&Case { confidence: Some(0.9), ..case("1") }, "confidence: '>= 0.90'"), (true, true));
}

#[test]
fn every_condition_is_reported() {
    let (asks, _) =
        rules("condition: 'true', risk_level: high, data_threshold: {field: amount, operator: '>', value: 10}");
    let report = Case::new(r#"{"amount":5.50}"#).evaluate(&asks).checkpoints.remove(0);
    let told: Vec<String> = report
        .conditions
        .iter()
        .map(|it| {
            let actual = it.actual.as_ref().map_or("nothing", |actual| actual.text());
            format!("{} {:?} {actual} {} {:?}", it.condition.as_str(), it.field, it.expected.text(), it.note)
        })
        .collect();
    assert_eq!(
        told,
        [
            r#"risk_level None "LOW" ["HIGH"] None"#,
            r#"data_threshold Some("amount") 5.50 10 None"#,
            r#"condition None nothing "true" Some("not looked at, as another condition does not hold")"#,
        ]
    );
    assert!(!report.matched && report.conditions.iter().all(|condition| !condition.held));
}

#[test]
fn what_is_too_large_is_not_kept() {
    let case = Case::new(&format!(r#"{{"memo":"{}"}}"#, "x".repeat(2_000)));
    let list = vec!["'y'"; 1_000].join(",");
    let (asks, _) = rules(&format!(
        "data_threshold: [{{field: memo, operator: contains, value: x}}, {{field: memo, operator: '!=', value: [{list}]}}]"
    ));
    let reasons = case.asked(&asks).reasons;
    assert_eq!(reasons[0].message, "memo is too large to show, which contains x");
    assert_eq!((&reasons[0].value, reasons[0].threshold.is_some()), (&None, true));
    assert_eq!((&reasons[1].threshold, reasons[1].message.chars().count() < 200), (&None, true));
}
