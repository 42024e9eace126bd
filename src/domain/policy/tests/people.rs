//! Policies beside the people of a workspace.

use super::policy;
use crate::domain::{
    document::Problem,
    email::Email,
    policy::{Approver, Directory},
    role::{Role, Roles},
};

fn person(email: &str, role: Role, groups: &[&str]) -> Approver {
    Approver {
        email: Email::parse(email).ok(),
        groups: groups.iter().map(|name| (*name).to_owned()).collect(),
        roles: Roles::from(role),
        service_account: None,
    }
}

/// Two approvers in finance, a viewer in support, and an admin.
fn directory() -> Directory {
    Directory {
        groups: ["finance", "support", "empty"].map(str::to_owned).to_vec(),
        people: vec![
            person("ada@example.com", Role::Approver, &["finance"]),
            person("bob@example.com", Role::Approver, &["finance"]),
            person("vic@example.com", Role::Viewer, &["support"]),
            person("root@example.com", Role::Admin, &[]),
        ],
    }
}

fn told(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(|problem| format!("{} {}", problem.path, problem.told())).collect()
}

/// Errors and warnings of a rule with this action.
fn found(action: &str) -> (Vec<String>, Vec<String>) {
    let text =
        format!("version: '1.0'\ncheckpoints:\n  - name: A\n    trigger: {{risk_level: high}}\n    action: {action}\n");
    let found = policy(&text).check(&text, &directory());
    (told(&found.errors), told(&found.warnings))
}

#[test]
fn what_no_one_could_ever_approve_is_an_error() {
    for (action, expected) in [
        ("{approvers: {groups: [nobody]}}", "1 of group:nobody must approve"),
        ("{approvers: {groups: [support]}}", "1 of group:support must approve"),
        ("{approvers: {users: [vic@example.com]}}", "1 of user:vic@example.com must approve"),
        (
            "{approvers: {groups: [finance]}, require_approval_count: 5}",
            "5 of group:finance must approve, and there are active people with the role APPROVER for 2 of these",
        ),
        (
            "{require_approval_count: 4}",
            "4 of role:APPROVER must approve, and there are active people with the role APPROVER for 3 of these",
        ),
        ("{quorum: ['2 of group:finance', '1 of user:ada@example.com']}", "1 of user:ada@example.com must approve"),
        ("{quorum: ['1 of group:empty']}", "1 of group:empty must approve"),
        ("{approvers: {groups: [nobody]}, timeout_seconds: 9, on_timeout: approve}", "group:nobody"),
    ] {
        let (errors, _) = found(action);
        assert!(
            errors.len() == 1 && errors[0].contains("no one could ever approve this") && errors[0].contains(expected),
            "{action}: {errors:?}"
        );
    }
    let (errors, _) = found("{approvers: {groups: [nobody]}}");
    assert!(errors[0].starts_with("/checkpoints/0/action/approvers line 5, column 14: "), "{errors:?}");
}

#[test]
fn what_is_probably_a_mistake_is_a_warning() {
    for (action, expected) in [
        ("{approvers: {groups: [finance, nobody]}}", "there is no group `nobody`"),
        ("{approvers: {groups: [finance, empty]}}", "no active member of the group `empty` has the role APPROVER"),
        ("{approvers: {groups: [finance], users: [eve@example.com]}}", "no one here has the address `eve@example.com`"),
        (
            "{approvers: {groups: [finance], users: [vic@example.com]}}",
            "`vic@example.com` does not have the role APPROVER",
        ),
        (
            "{escalation: {after_seconds: 5, escalate_to: [boss@example.com]}}",
            "no one here has the address `boss@example.com`",
        ),
        ("{escalation: {after_seconds: 5, escalate_to: ['group:board']}}", "there is no group `board`"),
        ("{notification: {channels: [teams, fax]}}", "`fax` is not a channel that is known: there is teams, slack"),
        ("{notification: {recipients: ['group:board']}}", "there is no group `board`"),
        (
            "{approvers: {groups: [support]}, escalation: {after_seconds: 5, escalate_to: [ada@example.com]}}",
            "only those that it is escalated to could approve",
        ),
        (
            "{approvers: {groups: [finance]}, require_approval_count: 2, separation_of_duties: true}",
            "just enough people",
        ),
        ("{log_decision: false}", "always in the audit log"),
    ] {
        let (errors, warnings) = found(action);
        assert!(
            errors.is_empty() && warnings.iter().any(|warning| warning.contains(expected)),
            "{action}: {errors:?} {warnings:?}"
        );
    }
    for action in [
        "{}",
        "{approvers: {groups: [finance]}, require_approval_count: 2}",
        "{quorum: ['2 of group:finance', '1 of any']}",
        "{exclude: [requester]}",
    ] {
        assert_eq!(found(action), (Vec::new(), Vec::new()), "{action}");
    }
}

#[test]
fn a_workspace_without_people_can_be_prepared() {
    let text = "version: '1.0'\ncheckpoints: [{name: A, trigger: {risk_level: high}, action: {approvers: {groups: [finance]}}}]";
    let found = policy(text).check(text, &Directory::default());
    assert!(found.errors.is_empty() && found.warnings.len() == 2, "{found:?}");
    let found = super::Policy::default().check(super::Policy::DEFAULT_TEXT, &directory());
    assert_eq!((found.errors.len(), found.warnings.len()), (0, 0));
}

#[test]
fn rules_that_never_get_their_turn_are_named() {
    let text = "version: '1.0'
checkpoints:
  - { name: Narrow, priority: 2, trigger: { risk_level: high, operation_type: refund } }
  - { name: Wide, priority: 1, trigger: { risk_level: [high, critical] } }
  - { name: Other, priority: 3, trigger: { risk_level: [medium, high] } }
auto_approval:
  rules:
    - { name: First, conditions: { risk_level: low, confidence: '> 0.5' }, action: { auto_approve: true } }
    - { name: Second, conditions: { risk_level: low }, action: { auto_approve: true, notification_channels: [fax] } }
    - { name: Third, conditions: { risk_level: low, operation_type: x }, action: { auto_approve: true } }
operation_types:
  types: [{ name: refund, requesters: { groups: [sales] } }]
";
    let warnings = told(&policy(text).check(text, &directory()).warnings);
    let expected = [
        "/auto_approval/rules/1/action/notification_channels",
        "/operation_types/types/0/requesters/groups/0",
        "/checkpoints/0 line 3",
        "/auto_approval/rules/2 line 10",
    ];
    assert_eq!(warnings.len(), expected.len(), "{warnings:#?}");
    for start in expected {
        assert!(warnings.iter().any(|warning| warning.starts_with(start)), "{start}: {warnings:#?}");
    }
}
