//! The conditions of a rule: `trigger` of a checkpoint, `conditions` of an auto-approval.

use serde_json::{Number, Value};

use super::{
    comparison::{read_comparison, read_operator},
    values::{each, texts, word},
};
use crate::domain::{
    agent::RiskLevel,
    disguise,
    document::{Object, Place, ProblemCode, Problems, wrong_type},
    expression::{Expression, Scope},
    json::Json,
    policy::{
        comparison::{Comparison, Operator},
        condition::{Condition, Test},
        facts::VARIABLES,
        field::Field,
        number,
        rule::Rule,
    },
};

/// How many comparisons one field may list.
const MOST_COMPARISONS: usize = 20;

/// The operators that make sense for a confidence, the longer ones first.
const NUMERIC: [Operator; 6] =
    [Operator::AtLeast, Operator::AtMost, Operator::Equal, Operator::NotEqual, Operator::Greater, Operator::Less];

/// Reads a rule's conditions. A rule without any would match everything, so it must have one.
pub fn read(object: &mut Object<'_>, field: &'static str, name: &str, problems: &mut Problems) -> Rule {
    let mut rule = Rule { name: name.into(), place: object.own_place().clone(), conditions: Vec::new() };
    let place = object.place(field);
    if !object.require(field, problems) {
        return rule;
    }
    let Some(value) = object.get(field) else { return rule };
    let Some(mut object) = Object::open(value, place.clone(), problems).map(Object::strict) else { return rule };
    if value.as_object().is_some_and(serde_json::Map::is_empty) {
        let message = format!("`{field}` is empty: give at least one condition");
        problems.add(place.problem(ProblemCode::InvalidValue, message));
    }
    let found = &mut rule.conditions;
    found.extend(read_risk(&mut object, problems));
    found.extend(read_operation(&mut object, problems));
    found.extend(read_confidence(&mut object, problems));
    found.extend(read_fields(&mut object, "data_threshold", Test::Parameter, problems));
    found.extend(read_fields(&mut object, "custom_field", Test::Anywhere, problems));
    // The last one, as it costs most.
    found.extend(read_expression(&mut object, problems));
    object.close(problems);
    rule
}

fn read_risk(object: &mut Object<'_>, problems: &mut Problems) -> Option<Condition> {
    let levels = each(object, "risk_level", problems, |text| word(text, &risk_levels()))?;
    Some(Condition::risk(levels))
}

/// The risk levels as policies write them.
pub fn risk_levels() -> [(&'static str, RiskLevel); 4] {
    [
        ("low", RiskLevel::Low),
        ("medium", RiskLevel::Medium),
        ("high", RiskLevel::High),
        ("critical", RiskLevel::Critical),
    ]
}

fn read_operation(object: &mut Object<'_>, problems: &mut Problems) -> Option<Condition> {
    let types = texts(object, "operation_type", problems)?;
    for item in &types {
        if let Some(why) = disguise::disguise(item.text) {
            item.problem(problems, format!("the operation type {why}"));
        }
    }
    Some(Condition::operation(&types.iter().map(|item| item.text).collect::<Vec<_>>()))
}

fn read_fields(
    object: &mut Object<'_>,
    name: &'static str,
    test: fn(Field, Comparison) -> Test,
    problems: &mut Problems,
) -> Vec<Condition> {
    let place = object.place(name);
    let read = |value: &Value, place: Place, problems: &mut Problems| {
        let mut object = Object::open(value, place, problems)?.strict();
        let field = read_field(&mut object, problems);
        let operator = read_operator(&mut object, &Operator::ALL, problems);
        let comparison = read_comparison(&mut object, operator, problems);
        object.close(problems);
        let expected = Json::from_value(value.get("value")?).ok()?;
        Some(Condition { expected, test: test(field?, comparison?) })
    };
    match object.get(name) {
        None => Vec::new(),
        Some(Value::Array(items)) if items.is_empty() || items.len() > MOST_COMPARISONS => {
            let message = format!("`{name}` is a list of {}: give 1 to {MOST_COMPARISONS}", items.len());
            problems.add(place.problem(ProblemCode::InvalidValue, message));
            Vec::new()
        }
        Some(Value::Array(items)) => {
            let items = items.iter().enumerate();
            items.filter_map(|(number, item)| read(item, place.child(number), problems)).collect()
        }
        Some(alone) => read(alone, place, problems).into_iter().collect(),
    }
}

fn read_field(object: &mut Object<'_>, problems: &mut Problems) -> Option<Field> {
    let text = object.required_text("field", problems)?;
    let note = |message| problems.add(object.place("field").problem(ProblemCode::InvalidValue, message));
    Field::read(text.trim()).map_err(note).ok()
}

/// A confidence has two names, and may be written as `{operator, value}` or as a text such as `">= 0.9"`.
fn read_confidence(object: &mut Object<'_>, problems: &mut Problems) -> Option<Condition> {
    let (agent, short) = (object.get("agent_confidence"), object.get("confidence"));
    if agent.is_some() && short.is_some() {
        let message = "`confidence` and `agent_confidence` are the same: give one of them";
        problems.add(object.place("confidence").problem(ProblemCode::InvalidValue, message));
        return None;
    }
    let place = object.place(if agent.is_some() { "agent_confidence" } else { "confidence" });
    let (operator, number, place) = match agent.or(short)? {
        Value::String(text) => match confidence_in_words(text) {
            Some((operator, number)) => (operator, number, place),
            None => {
                let message = format!("`{text:.64}` is not a comparison: write something like `>= 0.9`");
                problems.add(place.problem(ProblemCode::InvalidValue, message));
                return None;
            }
        },
        value @ Value::Object(_) => {
            let mut object = Object::open(value, place, problems)?.strict();
            let operator = read_operator(&mut object, &NUMERIC, problems);
            object.require("value", problems);
            let number = object.read("value", "a number", problems, |value| match value {
                Value::Number(number) => Some(number.clone()),
                _ => None,
            });
            let place = object.place("value");
            object.close(problems);
            (operator?, number?, place)
        }
        value => {
            problems.add(wrong_type(&place, "a comparison such as `\">= 0.9\"` or `{operator, value}`", value));
            return None;
        }
    };
    let at_most = |a: &str, b: &str| number::order(a, b).is_some_and(std::cmp::Ordering::is_le);
    if !(at_most("0", number.as_str()) && at_most(number.as_str(), "1")) {
        problems.add(place.problem(ProblemCode::InvalidValue, format!("a confidence is from 0 to 1, not {number}")));
        return None;
    }
    let expected = Json::from_value(&Value::Number(number.clone())).ok()?;
    Some(Condition { expected, test: Test::Confidence(Comparison::Order(operator, number)) })
}

fn confidence_in_words(text: &str) -> Option<(Operator, Number)> {
    let text = text.trim();
    let sign = NUMERIC.into_iter().find(|operator| text.starts_with(operator.as_str()))?;
    let number = text.strip_prefix(sign.as_str())?.trim();
    Some((sign, serde_json::from_str(number).ok()?))
}

fn read_expression(object: &mut Object<'_>, problems: &mut Problems) -> Option<Condition> {
    let place = object.place("condition");
    let text = object.text("condition", problems)?;
    let expression = Expression::parse(text).and_then(|expression| {
        if let Some(unknown) = expression.roots().find(|root| !VARIABLES.contains(root)) {
            return Err(format!("there is no variable `{unknown}`: there are `proposal`, `input` and `context`"));
        }
        // What names nothing is always the same, so it can be tried.
        let tried = expression.references().is_empty().then(|| expression.holds(&Scope::default()));
        match tried {
            Some(Err(error)) => Err(error.message),
            _ => Ok(expression),
        }
    });
    match expression {
        Ok(expression) => Some(Condition { expected: Json::string(text), test: Test::Expression(expression) }),
        Err(message) => {
            problems.add(place.problem(ProblemCode::BadExpression, message));
            None
        }
    }
}
