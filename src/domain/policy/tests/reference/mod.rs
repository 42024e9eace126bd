//! Random policies and proposals, answered a second time by a naive evaluator.
//!
//! The evaluator is written from `docs/policies.md` alone and shares no code with the one that it checks. It works on
//! what was generated, not on texts.

mod answer;
mod generate;
mod write;

use proptest::prelude::*;

use super::Policy;
use crate::domain::policy::{Evaluation, Outcome};
use answer::{Answer, answer};

#[derive(Debug, Clone, PartialEq)]
enum Value {
    /// In hundredths.
    Number(i64),
    Text(&'static str),
    Flag(bool),
    Null,
    /// Of whole numbers.
    List(Vec<i64>),
}

#[derive(Debug, Clone)]
enum Condition {
    Risk(Vec<usize>),
    Operation(Vec<&'static str>),
    Confidence(&'static str, i64),
    Field {
        custom: bool,
        name: &'static str,
        operator: &'static str,
        value: Value,
    },
    /// `proposal.params.a > NUMBER`
    Expression(i64),
    /// `has(input.a) && input.a == NUMBER`
    SafeExpression(i64),
}

#[derive(Debug, Clone)]
struct Rule {
    conditions: Vec<Condition>,
    auto_approve: bool,
    /// Only of checkpoints.
    priority: Option<i64>,
    approvals: u32,
    /// Only of auto-approvals.
    enabled: bool,
    rollout: Option<i64>,
}

#[derive(Debug, Clone)]
struct Document {
    checkpoints: Vec<Rule>,
    rules: Vec<Rule>,
    enabled: bool,
    emergency_stop: bool,
    business_hours_only: bool,
}

#[derive(Debug, Clone)]
struct Proposal {
    risk: usize,
    operation: &'static str,
    confidence: Option<i64>,
    /// The fields `a` and `b` of the parameters, the input and the context.
    fields: [[Option<Value>; 2]; 3],
    key: u128,
    always: bool,
    stopped: bool,
    hour: i64,
}

fn found(evaluation: Evaluation) -> (Answer, Vec<String>) {
    let reports = evaluation.checkpoints.iter().chain(&evaluation.auto_approvals);
    let matched = reports.filter(|report| report.matched).map(|report| report.name.to_string()).collect();
    let answer = match evaluation.outcome {
        Outcome::Proceed => Answer::Proceed,
        Outcome::AutoApproved(approval) => Answer::Approved { rule: approval.rule, instead_of: approval.instead_of },
        Outcome::Ask(requirement) => {
            assert!(!requirement.reasons.is_empty(), "somebody is asked without a reason");
            Answer::Ask { rule: requirement.rule, approvals: requirement.seats.iter().map(|seat| seat.count).sum() }
        }
    };
    (answer, matched)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn policies_do_what_the_documentation_says(
        document in generate::documents(),
        proposals in prop::collection::vec(generate::proposals(), 8),
    ) {
        let text = write::text(&document);
        let policy = Policy::read(&text).map_err(|problems| TestCaseError::fail(format!("{problems:#?}\n{text}")))?;
        for proposal in proposals {
            let expected = answer(&document, &proposal);
            prop_assert_eq!(found(write::case(&proposal).evaluate(&policy)), expected, "{:?}\n{}", proposal, text);
        }
    }
}
