//! Which rule comes before which.

use uuid::Uuid;

use super::{Case, policy};
use crate::domain::{
    agent::RiskLevel,
    policy::{Aspect, Outcome, Policy},
    workflow::Gate,
};

/// A document with these checkpoint rules and auto-approval rules, which are open on weekdays in New York.
fn with_auto(checkpoints: &str, rules: &str) -> Policy {
    policy(&format!(
        "version: '1.0'
checkpoints: [{checkpoints}]
auto_approval:
  global_settings:
    business_hours_only: true
    business_hours: {{timezone: America/New_York, monday_friday: '09:00-17:00', saturday_sunday: disabled}}
  rules: [{rules}]"
    ))
}

const LARGE: &str = "{name: Large, trigger: {data_threshold: {field: amount, operator: '>', value: 100}}, action: {require_approval_count: 2}}";
const LARGE_AUTO: &str = "{name: Large, trigger: {data_threshold: {field: amount, operator: '>', value: 100}}, action: {auto_approve: true}}";
const TRUSTED: &str = "{name: Trusted, conditions: {confidence: '>= 0.9'}, action: {auto_approve: true}}";
const NEVER_IN: &str =
    "{name: Trusted, conditions: {confidence: '>= 0.9'}, action: {auto_approve: true, rollout_percentage: 0}}";

const ASKS_LARGE: &str = "Large asks 2 of any: amount is 150, which is > 100";
const TRUSTS: &str = "the agent's confidence is 0.9, which is >= 0.9";

fn large() -> Case {
    Case::new(r#"{"amount":150}"#)
}

#[test]
fn the_lowest_priority_is_first_and_ties_go_by_the_order() {
    let rule = |name: &str, priority: &str| format!("{{name: {name}, {priority} trigger: {{risk_level: low}}}}");
    let rules = [
        rule("none", ""),
        rule("ten", "priority: 10,"),
        rule("two", "priority: 2,"),
        rule("second two", "priority: 2,"),
    ];
    let read = |rules: &[String]| policy(&format!("version: '1.0'\ncheckpoints: [{}]", rules.join(",")));
    let evaluation = large().evaluate(&read(&rules));
    let order: Vec<(&str, bool, bool)> =
        evaluation.checkpoints.iter().map(|report| (&*report.name, report.matched, report.applied)).collect();
    let expected = [("two", true, true), ("second two", true, false), ("ten", true, false), ("none", true, false)];
    assert_eq!(order, expected);
    assert!(large().told(&read(&rules)).starts_with("two asks"));
    assert!(large().told(&read(&rules[..1])).starts_with("none asks"));
    assert!(
        large().told(&read(&[rule("zero", "priority: 0,"), rule("negative", "priority: -1,")])).starts_with("negative")
    );
}

#[test]
fn all_conditions_must_hold() {
    let policy = policy(
        "version: '1.0'
checkpoints:
  - name: Both
    trigger:
      risk_level: low
      data_threshold:
        - {field: amount, operator: '>', value: 100}
        - {field: amount, operator: '<', value: 200}",
    );
    assert!(large().told(&policy).starts_with("Both asks"));
    assert_eq!(Case::new(r#"{"amount":200}"#).told(&policy), "proceed");
    assert_eq!(Case { risk: RiskLevel::Medium, ..large() }.told(&policy), "proceed");
}

#[test]
fn an_auto_approval_takes_the_place_of_a_checkpoint() {
    let both = with_auto(LARGE, TRUSTED);
    assert_eq!(large().told(&both), format!("Trusted approves instead of Large: {TRUSTS}"));
    assert_eq!(Case::new(r#"{"amount":1}"#).told(&both), format!("Trusted approves: {TRUSTS}"));
    assert_eq!(Case { confidence: Some(0.8), ..large() }.told(&both), ASKS_LARGE);
    assert_eq!(Case { confidence: Some(0.8), ..Case::new("{}") }.told(&both), "proceed");
}

#[test]
fn only_the_first_auto_approval_that_takes_part_counts() {
    let disabled = TRUSTED.replace("name: Trusted,", "name: Off, enabled: false,");
    let silent = "{name: Silent, conditions: {confidence: '> 0'}, action: {auto_approve: false}}, {name: Mute, conditions: {confidence: '> 0'}}";
    let policy = with_auto(LARGE, &format!("{disabled}, {silent}, {TRUSTED}"));
    let evaluation = large().evaluate(&policy);
    let reports: Vec<(&str, bool, bool, bool)> = evaluation
        .auto_approvals
        .iter()
        .map(|report| (&*report.name, report.matched, report.enabled, report.applied))
        .collect();
    assert_eq!(
        reports,
        [
            ("Off", true, false, false),
            ("Silent", true, false, false),
            ("Mute", true, false, false),
            ("Trusted", true, true, true)
        ]
    );
    assert!(matches!(evaluation.outcome, Outcome::AutoApproved(approval) if approval.rule == "Trusted"));
    // The first one that takes part is blocked: those after it are not asked.
    let second = with_auto(LARGE, &format!("{NEVER_IN}, {}", TRUSTED.replace("Trusted", "Second")));
    assert!(large().told(&second).starts_with("Large asks"));
    let off = self::policy(&format!(
        "version: '1.0'\ncheckpoints: [{LARGE}]\nauto_approval: {{enabled: false, rules: [{TRUSTED}]}}"
    ));
    assert_eq!(large().told(&off), ASKS_LARGE);
}

#[test]
fn what_blocks_an_auto_approval_is_told() {
    let blocked = |why: &str| format!("`Trusted` would have approved, but {why}");
    let stop = blocked("the emergency stop is on");
    let night = blocked("it is outside business hours: Tue 22:30 in America/New_York");
    let gate = blocked("the step always asks for approval");
    let out = blocked("this one is not among the 0% of its rollout");
    let late = |case: Case| Case { now: "2024-05-15T02:30:00Z".parse().expect("a time"), ..case };
    let always = |case: Case| Case { gate: Gate::Always, ..case };
    let stopped = |case: Case| Case { emergency_stop: true, ..case };
    let small = || Case::new(r#"{"amount":1}"#);
    let both = with_auto(LARGE, TRUSTED);
    for (case, why) in [
        (stopped(large()), stop.clone()),
        (late(large()), night.clone()),
        (always(large()), gate.clone()),
        (always(stopped(late(large()))), format!("{gate}; {stop}; {night}")),
    ] {
        assert_eq!(case.told(&both), format!("{ASKS_LARGE}; {why}"));
    }
    for (case, why) in [(stopped(small()), stop), (late(small()), night), (always(small()), gate)] {
        assert_eq!(case.told(&both), format!("nobody asks 1 of any: {why}"));
    }
    assert_eq!(large().told(&with_auto(LARGE, NEVER_IN)), format!("{ASKS_LARGE}; {out}"));
    assert_eq!(small().told(&with_auto(LARGE, NEVER_IN)), format!("nobody asks 1 of any: {out}"));
    let asked = stopped(late(small())).asked(&both);
    let aspects: Vec<Aspect> = asked.reasons.iter().map(|reason| reason.condition).collect();
    assert_eq!(aspects, [Aspect::EmergencyStop, Aspect::BusinessHours]);
}

#[test]
fn the_documents_own_emergency_stop_works_alike() {
    let text =
        format!("version: '1.0'\nauto_approval: {{global_settings: {{emergency_stop: true}}, rules: [{TRUSTED}]}}");
    let expected = "nobody asks 1 of any: `Trusted` would have approved, but the emergency stop is on";
    assert_eq!(large().told(&policy(&text)), expected);
}

#[test]
fn business_hours_count_only_where_they_are_asked_for() {
    let text = format!(
        "version: '1.0'\nauto_approval: {{rules: [{TRUSTED}], global_settings: {{business_hours: {{timezone: UTC, monday_friday: disabled}}}}}}"
    );
    assert_eq!(large().told(&policy(&text)), format!("Trusted approves: {TRUSTS}"));
}

#[test]
fn a_checkpoint_can_approve_by_itself() {
    let alone = with_auto(LARGE_AUTO, "");
    let approves = "Large approves: amount is 150, which is > 100";
    assert_eq!(large().told(&alone), approves);
    let always = Case { gate: Gate::Always, ..large() };
    let blocked = "Large asks 1 of any: amount is 150, which is > 100; `Large` would have approved, but";
    assert_eq!(always.told(&alone), format!("{blocked} the step always asks for approval"));
    let stopped = Case { emergency_stop: true, ..large() };
    assert_eq!(stopped.told(&alone), format!("{blocked} the emergency stop is on"));
    let late = Case { now: "2024-05-18T16:00:00Z".parse().expect("a time"), ..large() };
    assert_eq!(late.told(&alone), format!("{blocked} it is outside business hours: Sat 12:00 in America/New_York"));
    // An auto-approval rule comes first; out of its rollout, the checkpoint rule still approves.
    assert_eq!(large().told(&with_auto(LARGE_AUTO, TRUSTED)), format!("Trusted approves: {TRUSTS}"));
    assert_eq!(large().told(&with_auto(LARGE_AUTO, NEVER_IN)), approves);
    // Switching the rules off is not switching the checkpoint off.
    let off = policy(&format!("version: '1.0'\ncheckpoints: [{LARGE_AUTO}]\nauto_approval: {{enabled: false}}"));
    assert_eq!(large().told(&off), approves);
}

#[test]
fn a_step_that_always_asks_always_asks() {
    let always = |case: Case| Case { gate: Gate::Always, ..case };
    let reason = "the step always asks for approval";
    assert_eq!(always(large()).told(&policy("version: '1.0'")), format!("nobody asks 1 of any: {reason}"));
    let checkpoint = policy(&format!("version: '1.0'\ncheckpoints: [{LARGE}]"));
    assert_eq!(always(large()).told(&checkpoint), format!("{ASKS_LARGE}; {reason}"));
    assert_eq!(always(Case::new("{}")).told(&checkpoint), format!("nobody asks 1 of any: {reason}"));
}

#[test]
fn a_rollout_lets_some_through() {
    let policy = with_auto(
        "",
        "{name: Small, conditions: {risk_level: low}, action: {auto_approve: true, rollout_percentage: 30}}",
    );
    let approved = (0..1_000_u128).map(Uuid::from_u128).filter(|key| {
        let case = large().by(*key);
        assert_eq!(case.told(&policy), case.told(&policy), "the same key has the same answer");
        case.told(&policy).starts_with("Small approves")
    });
    assert!((250..350).contains(&approved.count()));
}

#[test]
fn custom_fields_are_looked_for_in_three_places() {
    let policy = policy(
        "version: '1.0'\ncheckpoints: [{name: A, trigger: {custom_field: {field: c.tier, operator: '==', value: gold}}}]",
    );
    let case = |params: &str, input: &str, context: &str| {
        let case = Case { input: super::json(input), context: super::json(context), ..Case::new(params) };
        case.told(&policy).starts_with("A asks")
    };
    let (gold, tin, other) = (r#"{"c":{"tier":"gold"}}"#, r#"{"c":{"tier":"tin"}}"#, r#"{"c":{}}"#);
    assert!(case(gold, tin, tin) && case(other, gold, tin) && case(other, "null", gold) && case("[]", other, gold));
    assert!(!case(tin, gold, gold) && !case(other, tin, gold) && !case(other, other, other));
}

#[test]
fn thresholds_look_only_into_the_parameters() {
    let policy = with_auto(LARGE, "");
    let elsewhere = Case { input: super::json(r#"{"amount":150}"#), ..Case::new("{}") };
    assert_eq!(Case { context: elsewhere.input.clone(), ..elsewhere }.told(&policy), "proceed");
}
