//! What is kept for ever: the texts in the journal must stay readable.

use super::{Case, EXAMPLE, json, policy};
use crate::domain::{
    agent::RiskLevel,
    policy::{Aspect, Outcome, Requirement},
};

#[track_caller]
fn kept(outcome: &Outcome, text: &str) {
    assert_eq!(serde_json::to_string(outcome).expect("JSON"), text);
    assert_eq!(serde_json::from_str::<Outcome>(text).expect("an outcome"), *outcome);
    let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(serde_json::from_value::<Outcome>(value).expect("an outcome"), *outcome);
}

#[test]
fn a_requirement_is_kept_whole() {
    let case = Case {
        risk: RiskLevel::Critical,
        confidence: Some(0.5),
        input: json(r#"{"limit":1,"customer":{"tier":"gold"}}"#),
        context: json(r#"{"region":"EU"}"#),
        ..Case::new(
            r#"{"amount":1000.000000000000000001,"lines":[{"sum":{"z":1.0,"a":2}}],"country":"DE","memo":"urgent","reference":"AB-1"}"#,
        )
    };
    let text = concat!(
        r#"{"ask":{"rule":"Every condition","reasons":["#,
        r#"{"rule":"Every condition","condition":"risk_level","operator":"in","threshold":["HIGH","CRITICAL"],"value":"CRITICAL","message":"the risk level is CRITICAL"},"#,
        r#"{"rule":"Every condition","condition":"operation_type","operator":"in","threshold":["financial_transaction","Refund"],"value":"refund","message":"the operation type is refund"},"#,
        r#"{"rule":"Every condition","condition":"agent_confidence","operator":"<","threshold":0.75,"value":0.5,"message":"the agent's confidence is 0.5, which is < 0.75"},"#,
        r#"{"rule":"Every condition","condition":"data_threshold","field":"amount","operator":">","threshold":1000,"value":1000.000000000000000001,"message":"amount is 1000.000000000000000001, which is > 1000"},"#,
        r#"{"rule":"Every condition","condition":"data_threshold","field":"/lines/0/sum","operator":"!=","threshold":null,"value":{"z":1.0,"a":2},"message":"/lines/0/sum is {\"z\":1.0,\"a\":2}, which is != null"},"#,
        r#"{"rule":"Every condition","condition":"data_threshold","field":"country","operator":"in","threshold":["DE","FR"],"value":"DE","message":"country is DE, which is in [\"DE\",\"FR\"]"},"#,
        r#"{"rule":"Every condition","condition":"data_threshold","field":"memo","operator":"contains","threshold":"urgent","value":"urgent","message":"memo is urgent, which contains urgent"},"#,
        r#"{"rule":"Every condition","condition":"data_threshold","field":"reference","operator":"matches","threshold":"^[A-Z]{2}-\\d+$","value":"AB-1","message":"reference is AB-1, which matches ^[A-Z]{2}-\\d+$"},"#,
        r#"{"rule":"Every condition","condition":"custom_field","field":"customer.tier","operator":"==","threshold":"gold","value":"gold","message":"customer.tier is gold, which is == gold"},"#,
        r#"{"rule":"Every condition","condition":"condition","threshold":"proposal.params.amount > input.limit && context.region == 'EU'","message":"`proposal.params.amount > input.limit && context.region == 'EU'` holds"}],"#,
        r#""seats":[{"count":2,"who":{"group":"finance"}},{"count":1,"who":{"group":"security"}}],"#,
        r#""approvers":{"groups":["finance"],"users":["a@example.com"],"roles":["APPROVER"]},"#,
        r#""exclude":["requester","agent_owner"],"separation_of_duties":true,"#,
        r#""timeout":{"after_seconds":3600,"then":"cancel"},"#,
        r#""escalation":{"after_seconds":1800,"to":[{"email":"manager@example.com"},{"group":"board"}]},"#,
        r#""reminder_seconds":900,"notification":{"channels":["teams","email"],"recipients":[{"email":"finance-team@example.com"}]}}}"#,
    );
    kept(&case.evaluate(&policy(EXAMPLE)).outcome, text);
}

#[test]
fn other_outcomes_are_kept() {
    kept(&Outcome::Proceed, r#""proceed""#);
    let text = "version: '1.0'
checkpoints: [{name: Q, trigger: {risk_level: medium}, action: {quorum: [1 of any, '1 of role:admin', '1 of user:a@b.c']}}]
auto_approval: {rules: [{name: A, conditions: {risk_level: low}, action: {auto_approve: true, notify: true}}]}";
    let case = Case::new("{}");
    let reason = r#"{"rule":"A","condition":"risk_level","operator":"in","threshold":["LOW"],"value":"LOW","message":"the risk level is LOW"}"#;
    let approved = format!(
        r#"{{"auto_approved":{{"rule":"A","reasons":[{reason}],"notice":{{"log":true,"notification":{{}}}},"fingerprint":"L6_BxT4kkKAImsUc"}}}}"#
    );
    kept(&case.evaluate(&policy(text)).outcome, &approved);
    let asked = Case { risk: RiskLevel::Medium, ..case }.asked(&policy(text));
    let seats = serde_json::to_string(&asked.seats).expect("JSON");
    assert_eq!(
        seats,
        r#"[{"count":1,"who":"any"},{"count":1,"who":{"role":"ADMIN"}},{"count":1,"who":{"user":"a@b.c"}}]"#
    );
    let text = serde_json::to_string(&asked).expect("JSON");
    assert_eq!(serde_json::from_str::<Requirement>(&text).expect("a requirement"), asked);
}

#[test]
fn aspects_are_called_alike_everywhere() {
    for aspect in [
        Aspect::RiskLevel,
        Aspect::OperationType,
        Aspect::DataThreshold,
        Aspect::AgentConfidence,
        Aspect::CustomField,
        Aspect::Condition,
        Aspect::Gate,
        Aspect::EmergencyStop,
        Aspect::BusinessHours,
        Aspect::Rollout,
    ] {
        assert_eq!(serde_json::to_string(&aspect).expect("JSON"), format!("\"{}\"", aspect.as_str()));
    }
}

#[test]
fn addresses_are_not_shown_by_accident() {
    let case = Case { risk: RiskLevel::Medium, ..Case::new("{}") };
    let text = "version: '1.0'\ncheckpoints: [{name: Q, trigger: {risk_level: medium}, action: {approvers: {users: ada@example.com}}}]";
    assert!(!format!("{:?}", case.asked(&policy(text))).contains("ada@"));
}
