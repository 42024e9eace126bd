//! Documents as other tools write them.

use super::{Case, policy};
use crate::domain::{agent::RiskLevel, policy::Policy};

/// Rules with triggers and actions, with every field that is used there.
const CHECKPOINTS: &str = r#"
version: "1.0"
checkpoints:
  - name: "high_risk_operations"
    priority: 1
    trigger:
      risk_level: ["high", "critical"]
    action:
      auto_approve: false
      require_approval_count: 2
      timeout_seconds: 3600
      on_timeout: "escalate"
      escalation:
        enabled: true
        after_seconds: 1800
        escalate_to: ["manager@example.com", "group:board"]
      notification:
        channels: ["teams", "email"]
        recipients: ["finance-team@example.com"]
      log_decision: true
  - name: "large_transactions"
    priority: 2
    trigger:
      operation_type: ["financial_transaction", "refund"]
      data_threshold: { field: "amount", operator: ">", value: 1000 }
      agent_confidence: { operator: "<", value: 0.8 }
    action:
      auto_approve: false
      require_approval_count: 1
      timeout_seconds: 600
      on_timeout: "reject"
      escalation: { enabled: false, after_seconds: 300, escalate_to: ["manager@example.com"] }
      log_decision: true
  - name: "low_risk_reads"
    priority: 3
    trigger:
      risk_level: ["low"]
      operation_type: ["read"]
    action:
      auto_approve: true
      log_decision: false
"#;

/// Approvals by rules alone, without a version.
const AUTO_APPROVAL: &str = r#"
auto_approval:
  enabled: true
  global_settings:
    business_hours_only: true
    business_hours:
      timezone: "America/New_York"
      monday_friday: "09:00-17:00"
      saturday_sunday: "disabled"
    emergency_stop: false
  rules:
    - name: "small_refunds"
      enabled: true
      conditions:
        risk_level: ["low", "medium"]
        operation_type: ["refund"]
        data_threshold: { field: "amount", operator: "<=", value: 50 }
        confidence: ">= 0.9"
      action:
        auto_approve: true
        log_decision: true
        notify: true
        notification_channels: ["teams"]
        rollout_percentage: 100
"#;

#[test]
fn rules_with_triggers_are_read_as_they_are() {
    let policy = policy(CHECKPOINTS);
    let large = Case { confidence: Some(0.5), ..Case::new(r#"{"amount":5000}"#) };
    assert!(large.told(&policy).starts_with("large_transactions asks 1 of any"));
    let risky = Case { risk: RiskLevel::High, ..large };
    assert!(risky.told(&policy).starts_with("high_risk_operations asks 2 of any"));
    let read = Case { operation_type: "read", ..Case::new("{}") };
    assert!(read.told(&policy).starts_with("low_risk_reads approves"));
    let crate::domain::policy::Outcome::AutoApproved(approval) = read.evaluate(&policy).outcome else {
        panic!("asked")
    };
    assert!(!approval.notice.log);
}

#[test]
fn approvals_by_rules_are_read_without_a_version() {
    let policy = policy(AUTO_APPROVAL);
    assert!(Case::new(r#"{"amount":50}"#).told(&policy).starts_with("small_refunds approves"));
    assert_eq!(Case::new(r#"{"amount":51}"#).told(&policy), "proceed");
    // The section makes it a policy; nothing at all does not.
    let missing = Policy::read("checkpoints: []").expect_err("no version");
    assert_eq!(missing[0].message, "`version` is missing");
}

#[test]
fn what_means_nothing_here_is_answered_field_by_field() {
    let text = CHECKPOINTS
        .replace("\"manager@example.com\", \"group:board\"", "\"manager\"")
        .replace("\"finance-team@example.com\"", "\"finance-team\"")
        .replace("on_timeout: \"reject\"", "on_timeout: \"auto_reject\"");
    let problems = Policy::read(&text).expect_err("names that mean nothing");
    let told: Vec<String> = problems.iter().map(|problem| format!("{} {}", problem.path, problem.message)).collect();
    for expected in [
        "/checkpoints/0/action/escalation/escalate_to/0 `manager` is not an e-mail address",
        "/checkpoints/0/action/notification/recipients/0 `finance-team` is not an e-mail address",
        "/checkpoints/1/action/on_timeout `auto_reject` is not known here: use `cancel`, `reject`, `approve`, `escalate`",
    ] {
        assert!(told.iter().any(|problem| problem.starts_with(expected)), "{expected}: {told:#?}");
    }
    assert!(told[0].contains("or `group:NAME`"), "{told:#?}");
}
