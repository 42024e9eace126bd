//! Documents that are right.

use super::{Case, EXAMPLE, Policy, json, policy};
use crate::domain::{
    agent::RiskLevel,
    document::read_text,
    email::Email,
    policy::{
        Approvers, Contact, Escalation, Excluded, Notification, OnTimeout, Outcome, Requirement, Seat, Timeout, Who,
    },
    role::Role,
};
use uuid::Uuid;

fn email(text: &str) -> Email {
    Email::parse(text).expect("an address")
}

fn matching_case() -> Case {
    Case {
        risk: RiskLevel::High,
        confidence: Some(0.6),
        input: json(r#"{"limit":1200,"customer":{"tier":"gold"}}"#),
        context: json(r#"{"region":"EU","customer":{"tier":"silver"}}"#),
        ..Case::new(r#"{"amount":1500,"lines":[{"sum":7}],"country":"FR","memo":"most urgent","reference":"AB-1"}"#)
    }
}

#[test]
fn a_reason_says_numbers_as_people_write_them() {
    let asks = policy(
        "version: '1.0'
checkpoints:
  - name: Large
    trigger: {data_threshold: {field: amount, operator: '>', value: 500.0}}
    action: {require_approval_count: 1}",
    );
    let message = |amount: &str| {
        let reasons = Case::new(&format!(r#"{{"amount":{amount}}}"#)).asked(&asks).reasons;
        reasons.into_iter().map(|reason| reason.message).collect::<String>()
    };
    assert_eq!(message("980.0"), "amount is 980, which is > 500");
    assert_eq!(message("980.50"), "amount is 980.50, which is > 500");
    assert_eq!(message("9.8e2"), "amount is 9.8e2, which is > 500");
}

#[test]
fn the_whole_example_is_read() {
    let requirement = matching_case().asked(&policy(EXAMPLE));
    let messages: Vec<&str> = requirement.reasons.iter().map(|reason| reason.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "the risk level is HIGH",
            "the operation type is refund",
            "the agent's confidence is 0.6, which is < 0.75",
            "amount is 1500, which is > 1000",
            "/lines/0/sum is 7, which is != null",
            r#"country is FR, which is in ["DE","FR"]"#,
            "memo is most urgent, which contains urgent",
            r"reference is AB-1, which matches ^[A-Z]{2}-\d+$",
            "customer.tier is gold, which is == gold",
            "`proposal.params.amount > input.limit && context.region == 'EU'` holds",
        ]
    );
    let seat = |count, group: &str| Seat { count, who: Who::Group(group.to_owned()) };
    assert_eq!(
        Requirement { reasons: Vec::new(), ..requirement },
        Requirement {
            rule: Some("Every condition".to_owned()),
            reasons: Vec::new(),
            seats: vec![seat(2, "finance"), seat(1, "security")],
            approvers: Approvers {
                groups: vec!["finance".to_owned()],
                users: vec![email("a@example.com")],
                roles: vec![Role::Approver],
            },
            exclude: vec![Excluded::Requester, Excluded::AgentOwner],
            separation_of_duties: true,
            timeout: Some(Timeout { after_seconds: 3600, then: OnTimeout::Cancel }),
            escalation: Some(Escalation {
                after_seconds: Some(1800),
                to: vec![Contact::Email(email("manager@example.com")), Contact::Group("board".to_owned())],
            }),
            reminder_seconds: Some(900),
            notification: Notification {
                channels: vec!["teams".to_owned(), "email".to_owned()],
                recipients: vec![Contact::Email(email("finance-team@example.com"))],
            },
            watched: Vec::new(),
            also: Vec::new(),
            replaced: Vec::new(),
        }
    );
}

#[test]
fn the_examples_auto_approval_is_read() {
    let policy = policy(EXAMPLE);
    let keys = (0..1_000_u128).map(Uuid::from_u128);
    let small = Case { operation_type: "FINANCIAL_TRANSACTION", ..Case::new(r#"{"amount":50.00}"#) };
    let outcomes: Vec<Outcome> = keys.map(|identity| small.clone().by(identity).evaluate(&policy).outcome).collect();
    let approved = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::AutoApproved(_)));
    assert!((200..300).contains(&approved.clone().count()), "a quarter is in the rollout");
    let Some(Outcome::AutoApproved(approval)) = approved.into_iter().next() else { panic!("none") };
    assert_eq!((approval.rule.as_str(), approval.notice.log), ("Small refunds", true));
    let notification = approval.notice.notification.as_ref().expect("somebody is told");
    assert_eq!(notification.channels, ["teams"]);
}

#[test]
fn the_examples_of_the_documentation_can_be_read() {
    let text = include_str!("../../../../docs/policies.md");
    let examples: Vec<&str> = text.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(examples.len() > 3, "{}", examples.len());
    for example in examples {
        policy(example);
    }
}

#[test]
fn json_means_the_same() {
    let value = read_text(EXAMPLE).expect("YAML");
    for policy in
        [policy(&value.to_string()), policy(&format!("{value:#}")), Policy::from_value(&value).expect("a policy")]
    {
        assert_eq!(matching_case().asked(&policy), matching_case().asked(&self::policy(EXAMPLE)));
    }
}

#[test]
fn one_and_a_list_of_one_mean_the_same() {
    let rule = |conditions: &str, action: &str| {
        policy(&format!("version: 1.0\ncheckpoints: [{{name: A, trigger: {{{conditions}}}, action: {{{action}}}}}]"))
    };
    let alone = rule(
        "risk_level: Low, operation_type: REFUND, data_threshold: {field: a, operator: '==', value: 1}, confidence: '>=0.9'",
        "quorum: 1 of any, exclude: requester, approvers: {groups: a, users: a@b.c, roles: admin}, timeout_seconds: 9,
         on_timeout: ESCALATE, escalation: {escalate_to: group:a},
         notification: {channels: email, recipients: a@b.c}",
    );
    let lists = rule(
        "risk_level: [LOW, low], operation_type: [refund], data_threshold: [{field: a, operator: '==', value: 1.0}],
         agent_confidence: {operator: '>=', value: 0.90}",
        "quorum: [1 OF ANY], exclude: [REQUESTER], approvers: {groups: [a, a], users: [A@b.c], roles: [ADMIN]},
         timeout_seconds: 9, on_timeout: escalate, escalation: {enabled: true, escalate_to: ['group:a']},
         notification: {channels: [Email], recipients: [a@b.c]}",
    );
    let case = Case::new(r#"{"a":1}"#);
    let without_reasons = |policy: &Policy| Requirement { reasons: Vec::new(), ..case.asked(policy) };
    assert_eq!(without_reasons(&alone), without_reasons(&lists));
}

#[test]
fn what_is_left_out_has_a_default() {
    for text in ["version: '1.0'", "version: 1.0", "{\"version\": \"1.0\"}", "version: '1.0'\ncheckpoints: []"] {
        assert!(policy(text).is_empty(), "{text}");
        assert_eq!(Case::new("{}").told(&policy(text)), "proceed");
    }
    let short = policy("version: '1.0'\ncheckpoints: [{name: A, trigger: {risk_level: low}}]");
    let requirement = Case::new("{}").asked(&short);
    let default =
        Requirement { rule: Some("A".to_owned()), reasons: requirement.reasons.clone(), ..Requirement::default() };
    assert_eq!(requirement, default);
    assert_eq!(default.approvers.roles, [Role::Approver]);
    let timeout =
        policy("version: '1.0'\ncheckpoints: [{name: A, trigger: {risk_level: low}, action: {timeout_seconds: 5}}]");
    let timeout = Case::new("{}").asked(&timeout).timeout;
    assert_eq!(timeout, Some(Timeout { after_seconds: 5, then: OnTimeout::Cancel }));
}

#[test]
fn a_quorum_says_who_is_asked_unless_it_says_any() {
    let approvers = |quorum: &str| {
        let text = format!(
            "version: '1.0'\ncheckpoints: [{{name: A, trigger: {{risk_level: low}}, action: {{quorum: ['{quorum}']}}}}]"
        );
        Case::new("{}").asked(&policy(&text)).approvers
    };
    assert_eq!(approvers("2 of any"), Approvers::default());
    assert_eq!(approvers("2 of group:a"), Approvers::nobody());
}

#[test]
fn a_policy_can_be_shared() {
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&Policy::default());
}

#[test]
fn an_escalation_that_is_not_enabled_is_none() {
    let text = "version: '1.0'\ncheckpoints: [{name: A, trigger: {risk_level: low},
        action: {escalation: {enabled: false, after_seconds: 5, escalate_to: a@b.c}}}]";
    assert_eq!(Case::new("{}").asked(&policy(text)).escalation, None);
}

#[test]
fn the_default_policy_is_what_its_text_says() {
    let read = policy(Policy::DEFAULT_TEXT);
    assert_eq!(format!("{read:?}"), format!("{:?}", Policy::default()));
    for (risk, expected) in [
        (RiskLevel::Low, "proceed"),
        (RiskLevel::Medium, "proceed"),
        (RiskLevel::High, "High and critical risk asks 1 of any: the risk level is HIGH"),
        (RiskLevel::Critical, "High and critical risk asks 1 of any: the risk level is CRITICAL"),
    ] {
        assert_eq!(Case { risk, ..Case::new("{}") }.told(&Policy::default()), expected);
    }
}
