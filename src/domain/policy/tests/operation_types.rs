//! The catalogue of operation types, and what becomes of those that it does not know.

use super::{Asker, Case, policy};
use crate::domain::{
    agent::RiskLevel,
    policy::{Approver, Policy, Requester},
    role::{Role, Roles},
};

const LOW: &str = "auto_approval: {rules: [{name: Low, conditions: {risk_level: low}, action: {auto_approve: true}}]}";
const NAMED: &str = "auto_approval: {rules: [{name: Named, conditions: {operation_type: [Refund, drop_table]}, action: {auto_approve: true}}]}";

fn with(catalogue: &str, rest: &str) -> Policy {
    policy(&format!("version: '1.0'\n{catalogue}\n{rest}"))
}

fn caller(operation_type: &'static str) -> Case {
    Case { operation_type, asked_by: Asker::Caller, ..Case::new("{}") }
}

fn step(operation_type: &'static str) -> Case {
    Case { asked_by: Asker::Step, ..caller(operation_type) }
}

#[test]
fn what_a_caller_calls_its_action_is_only_believed_if_the_policy_knows_it() {
    let low = with("", LOW);
    assert_eq!(
        caller("drop_table").told(&low),
        "nobody asks 1 of any: `Low` would have approved, but `drop_table` is not among the policy's operation types"
    );
    assert_eq!(step("drop_table").told(&low), "Low approves: the risk level is LOW");
    let known = with("operation_types: {types: [{name: Drop_Table}]}", LOW);
    assert_eq!(caller("drop_table").told(&known), "Low approves: the risk level is LOW");
    let named = with("", NAMED);
    assert_eq!(caller("drop_table").told(&named), "Named approves: the operation type is drop_table");
    let allowed = with("operation_types: {unknown: allow}", LOW);
    assert_eq!(caller("drop_table").told(&allowed), "Low approves: the risk level is LOW");
}

#[test]
fn a_checkpoint_rule_approves_no_unknown_type_either() {
    let policy = with("", "checkpoints: [{name: A, trigger: {risk_level: low}, action: {auto_approve: true}}]");
    assert!(caller("drop_table").told(&policy).starts_with("A asks 1 of any: the risk level is LOW; `A` would have"));
    assert_eq!(step("drop_table").told(&policy), "A approves: the risk level is LOW");
}

#[test]
fn with_a_catalogue_steps_of_unknown_types_ask() {
    let reason = "`drop_table` is not among the policy's operation types";
    for unknown in ["ask", "REFUSE"] {
        let policy = with(&format!("operation_types: {{unknown: {unknown}, types: [{{name: refund}}]}}"), "");
        assert_eq!(step("drop_table").told(&policy), format!("nobody asks 1 of any: {reason}"));
        assert!(policy.may_concern("drop_table", RiskLevel::Low) && !policy.may_concern("REFUND", RiskLevel::Low));
        assert_eq!(step("refund").told(&policy), "proceed");
        let computes = Case { asked_by: Asker::Computation, ..step("transform") };
        assert_eq!(computes.told(&policy), "proceed", "nothing happens that could be asked about");
    }
    let policy = with("operation_types: {types: []}", NAMED);
    assert_eq!(step("drop_table").told(&policy), "Named approves: the operation type is drop_table");
    let policy = with("operation_types: {unknown: refuse}", NAMED);
    assert!(step("drop_table").told(&policy).contains(reason));
    assert_eq!(policy.refusal("drop_table", &Requester::default()).as_deref(), Some(reason));
    let policy = with("operation_types: {unknown: allow, types: []}", "");
    assert_eq!(step("drop_table").told(&policy), "proceed");
}

#[test]
fn a_risk_level_can_only_be_raised() {
    let policy = with("operation_types: {types: [{name: refund, minimum_risk: High}]}", "");
    assert_eq!(policy.risk_of("ＲＥＦＵＮＤ", RiskLevel::Low), RiskLevel::High);
    assert_eq!(policy.risk_of("refund", RiskLevel::Critical), RiskLevel::Critical);
    assert_eq!(policy.risk_of("other", RiskLevel::Low), RiskLevel::Low);
}

#[test]
fn only_those_named_may_request() {
    let policy =
        with("operation_types: {types: [{name: refund, requesters: {groups: [support], roles: [admin]}}]}", NAMED);
    let who = |groups: &[&str], role: Role| Requester {
        who: Approver {
            groups: groups.iter().map(|name| (*name).to_owned()).collect(),
            roles: Roles::from(role),
            ..Approver::default()
        },
        ..Requester::default()
    };
    let why = "not among those who may request `refund`: group:support, role:ADMIN";
    let other = who(&["sales"], Role::Operator);
    assert_eq!(policy.refusal("Refund", &other), Some(format!("you are {why}")));
    assert_eq!(policy.refusal("Refund", &who(&["support"], Role::Viewer)), None);
    assert_eq!(policy.refusal("Refund", &who(&[], Role::Admin)), None);
    let told = Case { requester: other, ..step("refund") }.told(&policy);
    assert_eq!(
        told,
        format!("nobody asks 1 of any: `Named` would have approved, but who started this execution is {why}")
    );
    let told = Case { requester: who(&["support"], Role::Viewer), ..step("refund") }.told(&policy);
    assert_eq!(told, "Named approves: the operation type is refund");
    assert!(policy.may_concern("refund", RiskLevel::Low) && policy.looks_at_requester());
}

#[test]
fn names_are_compared_in_one_form() {
    let policy = with("", "checkpoints: [{name: A, trigger: {operation_type: Ｒefund}}]");
    assert!(step("REFUND").told(&policy).starts_with("A asks"));
    assert!(policy.may_concern("ｒｅｆｕｎｄ", RiskLevel::Low));
}
