//! One condition of a rule, ready to be looked at.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::{
    comparison::{Comparison, Operator},
    facts::Sight,
    field::Field,
    reason::{Aspect, LARGEST_KEPT},
    report::ConditionReport,
};
use crate::domain::{agent::RiskLevel, expression::Expression, json::Json, operation_type};

/// A condition of a rule.
#[derive(Debug, Clone)]
pub struct Condition {
    /// What the rule names, to be shown.
    pub expected: Json,
    pub test: Test,
}

#[derive(Debug, Clone)]
pub enum Test {
    Risk(Vec<RiskLevel>),
    /// As they are compared.
    Operation(Vec<String>),
    Confidence(Comparison),
    /// A field of the parameters.
    Parameter(Field, Comparison),
    /// A field of the parameters, the input or the context: the first that has it.
    Anywhere(Field, Comparison),
    Expression(Expression),
}

/// What a condition that cannot be judged counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InDoubt {
    /// The rule asks people, so it rather asks.
    Holds,
    /// The rule approves, so it rather does not.
    Fails,
}

enum Verdict {
    Known(bool),
    /// There is no value: no condition holds for that.
    Absent,
    Doubtful(Cow<'static, str>),
    Skipped,
}

impl Condition {
    pub fn risk(levels: Vec<RiskLevel>) -> Self {
        let names: Vec<&str> = levels.iter().map(|level| level.as_str()).collect();
        Self { expected: list(&names), test: Test::Risk(levels) }
    }

    pub fn operation(types: &[&str]) -> Self {
        let comparable = types.iter().map(|name| operation_type::comparable(name)).collect();
        Self { expected: list(types), test: Test::Operation(comparable) }
    }

    /// Looks at a condition. An expression costs more than all others, so it waits until these hold.
    pub fn look(&self, sight: &Sight<'_>, in_doubt: InDoubt, so_far: bool) -> ConditionReport {
        let skipped = !so_far && self.is_costly();
        let (actual, verdict) = if skipped { (None, Verdict::Skipped) } else { self.find(sight) };
        let (held, note) = match verdict {
            Verdict::Known(held) => (held, None),
            Verdict::Absent => (false, Some("there is no such value".to_owned())),
            Verdict::Doubtful(why) => (in_doubt == InDoubt::Holds, Some(why.into_owned())),
            Verdict::Skipped => (false, Some("not looked at, as another condition does not hold".to_owned())),
        };
        let (condition, field, operator) = self.describe();
        let field = field.map(|field| field.written().clone());
        ConditionReport { condition, field, operator, expected: self.expected.clone(), actual, held, note }
    }

    fn is_costly(&self) -> bool {
        matches!(self.test, Test::Expression(_))
    }

    fn describe(&self) -> (Aspect, Option<&Field>, Option<Operator>) {
        match &self.test {
            Test::Risk(_) => (Aspect::RiskLevel, None, Some(Operator::In)),
            Test::Operation(_) => (Aspect::OperationType, None, Some(Operator::In)),
            Test::Confidence(comparison) => (Aspect::AgentConfidence, None, Some(comparison.operator())),
            Test::Parameter(field, comparison) => (Aspect::DataThreshold, Some(field), Some(comparison.operator())),
            Test::Anywhere(field, comparison) => (Aspect::CustomField, Some(field), Some(comparison.operator())),
            Test::Expression(_) => (Aspect::Condition, None, None),
        }
    }

    fn find(&self, sight: &Sight<'_>) -> (Option<Json>, Verdict) {
        match &self.test {
            Test::Risk(levels) => (Some(sight.risk().clone()), Verdict::Known(levels.contains(&sight.facts.risk))),
            Test::Operation(types) => {
                let (comparable, shown) = sight.operation_type();
                (Some(shown.clone()), Verdict::Known(types.contains(comparable)))
            }
            Test::Confidence(comparison) => match sight.confidence() {
                None => (None, Verdict::Absent),
                Some(Err(shown)) => (Some(shown), Verdict::Doubtful("a confidence is a number from 0 to 1".into())),
                Some(Ok(confidence)) => {
                    let verdict = judge(comparison, confidence.raw());
                    (Some(confidence), verdict)
                }
            },
            Test::Parameter(field, comparison) => compare(comparison, field.find(&sight.params)),
            Test::Anywhere(field, comparison) => {
                let mut sources = [&sight.params, &sight.input, &sight.context].into_iter();
                compare(comparison, sources.find_map(|source| field.find(source)))
            }
            Test::Expression(expression) => match expression.holds(sight.scope()) {
                Ok(held) => (None, Verdict::Known(held)),
                Err(error) => (None, Verdict::Doubtful(error.message.into())),
            },
        }
    }
}

fn compare(comparison: &Comparison, found: Option<&RawValue>) -> (Option<Json>, Verdict) {
    match found {
        None => (None, Verdict::Absent),
        Some(actual) => {
            let shown = (actual.get().len() <= LARGEST_KEPT).then(|| actual.into());
            (shown, judge(comparison, actual))
        }
    }
}

fn judge(comparison: &Comparison, actual: &RawValue) -> Verdict {
    match comparison.holds(actual) {
        Ok(held) => Verdict::Known(held),
        Err(why) => Verdict::Doubtful(why.into()),
    }
}

fn list(names: &[&str]) -> Json {
    Json::trusted(serde_json::Value::from(names).to_string()).unwrap_or_else(|_| Json::null())
}
