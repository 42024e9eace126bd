//! From a document to a definition, with every problem of its form.

use std::time::Duration;

use serde_json::{Map, Value};

use super::{
    definition::{
        DEFAULT_EXECUTION_TIMEOUT, DEFAULT_STEP_TIMEOUT, Definition, Gate, Heading, Limits, OnError, OnReject,
        Position, Retry, Source, Step,
    },
    keep::read_deliverables,
    proposal::read_proposal,
};
use crate::domain::{
    document::{Object, Place, ProblemCode, Problems, wrong_type},
    name,
};

pub const MOST_STEPS: usize = 100;
const LONGEST_NAME: usize = 100;
const LONGEST_DESCRIPTION: usize = 2_000;
const LONGEST_KEY: usize = 63;
const WEEK_SECONDS: u64 = 7 * 24 * 3600;

/// Reads a workflow's document as far as it can be read.
pub fn read(document: &Value, problems: &mut Problems) -> Option<Definition> {
    let mut object = Object::open(document, Place::default(), problems)?;
    let name = read_name(&mut object, problems);
    let description = read_description(&mut object, problems);
    let input_schema = object.get("inputSchema").cloned();
    let defaults = object.read("defaults", "an object", problems, Value::as_object).cloned().unwrap_or_default();
    let limits = read_limits(&mut object, problems);
    let on_error = object.word("onError", &[("STOP", OnError::Stop), ("CONTINUE", OnError::Continue)], problems);
    let steps = read_steps(&mut object, problems);
    object.close(problems);
    Some(Definition {
        name: name?.to_owned(),
        description: description.to_owned(),
        input_schema,
        defaults,
        limits,
        on_error: on_error.unwrap_or(OnError::Stop),
        steps,
    })
}

/// What a workflow is called, as far as its document says so: even a draft must have a name that can be used.
pub fn read_heading(document: &Value, problems: &mut Problems) -> Option<Heading> {
    let mut object = Object::open(document, Place::default(), problems)?;
    let name = read_name(&mut object, problems);
    let description = read_description(&mut object, &mut Problems::default());
    Some(Heading { name: name?.to_owned(), description: description.to_owned() })
}

fn read_name<'a>(object: &mut Object<'a>, problems: &mut Problems) -> Option<&'a str> {
    let name = object.required_text("name", problems)?.trim();
    let length = name.chars().count();
    if length <= LONGEST_NAME && !name.contains(char::is_control) {
        return Some(name);
    }
    let message = format!("`name` has {length} characters: use 1 to {LONGEST_NAME}, none of them control");
    problems.add(object.place("name").problem(ProblemCode::InvalidValue, message));
    None
}

fn read_description<'a>(object: &mut Object<'a>, problems: &mut Problems) -> &'a str {
    let description = object.text("description", problems).unwrap_or_default();
    match name::check_text("description", description, LONGEST_DESCRIPTION) {
        Ok(_) => description,
        Err(refusal) => {
            problems.add(object.place("description").problem(ProblemCode::InvalidValue, refusal.message));
            ""
        }
    }
}

fn read_limits(object: &mut Object<'_>, problems: &mut Problems) -> Limits {
    let mut limits = Limits { timeout: DEFAULT_EXECUTION_TIMEOUT };
    let place = object.place("limits");
    if let Some(value) = object.get("limits")
        && let Some(mut fields) = Object::open(value, place, problems)
    {
        if let Some(seconds) = fields.number("timeoutSeconds", 1..=WEEK_SECONDS, problems) {
            limits.timeout = Duration::from_secs(seconds);
        }
        fields.close(problems);
    }
    limits
}

fn read_steps(object: &mut Object<'_>, problems: &mut Problems) -> Vec<Step> {
    let place = object.place("steps");
    if !object.require("steps", problems) {
        return Vec::new();
    }
    let Some(items) = object.read("steps", "a list of steps", problems, Value::as_array) else {
        return Vec::new();
    };
    if items.is_empty() {
        problems.add(place.problem(ProblemCode::InvalidValue, "a workflow needs at least one step"));
    }
    if items.len() > MOST_STEPS {
        let message = format!("the workflow has {} steps: at most {MOST_STEPS} are allowed", items.len());
        problems.add(place.problem(ProblemCode::TooMany, message));
    }
    let mut steps: Vec<Step> = Vec::with_capacity(items.len());
    for (number, item) in items.iter().enumerate().take(MOST_STEPS) {
        let place = place.child(number);
        let previous = steps.last().map(|step| step.key.clone());
        let Some(step) = read_step(item, place.clone(), previous, problems) else { continue };
        if steps.iter().any(|other| other.key == step.key) {
            let message = format!("there are two steps with the key `{}`: keys must differ", step.key);
            problems.add(place.child("key").problem(ProblemCode::Duplicate, message));
        }
        steps.push(step);
    }
    steps
}

fn read_step(value: &Value, place: Place, previous: Option<String>, problems: &mut Problems) -> Option<Step> {
    let mut object = Object::open(value, place, problems)?;
    let key = read_key(&mut object, problems);
    let agent = object.required_text("agent", problems);
    let needs = read_needs(&mut object, problems);
    let when = object.text("when", problems).map(str::to_owned);
    let input = object.read("input", "an object of fields and expressions", problems, Value::as_object).map(read_input);
    let output_schema = object.get("outputSchema").cloned();
    let timeout = object.number("timeoutSeconds", 1..=WEEK_SECONDS, problems);
    let retry = read_retry(&mut object, problems);
    let gates = [("POLICY", Gate::Policy), ("ALWAYS", Gate::Always), ("NEVER", Gate::Never)];
    let gate = object.word("gate", &gates, problems).unwrap_or(Gate::Policy);
    let rejections = [("CANCEL", OnReject::Cancel), ("SKIP", OnReject::Skip), ("REVISE", OnReject::Revise)];
    let on_reject = object.word("onReject", &rejections, problems).unwrap_or(OnReject::Cancel);
    let proposal = read_proposal(&mut object, problems);
    let deliverables = read_deliverables(&mut object, problems);
    let position = object.get("position").and_then(|value| read_position(value, object.place("position"), problems));
    // Without a word, a step needs the one before it.
    let needs = needs.unwrap_or_else(|| previous.into_iter().collect());
    if on_reject == OnReject::Revise && needs.len() != 1 {
        let message = format!(
            "`REVISE` goes back to the one step that this one needs, and it needs {}: give it one, or choose CANCEL or SKIP",
            needs.len()
        );
        problems.add(object.place("onReject").problem(ProblemCode::InvalidValue, message));
    }
    object.close(problems);
    Some(Step {
        key: key?,
        agent: agent?.to_owned(),
        needs,
        when,
        input,
        output_schema,
        timeout: timeout.map_or(DEFAULT_STEP_TIMEOUT, Duration::from_secs),
        retry,
        gate,
        on_reject,
        proposal,
        deliverables,
        position,
    })
}

/// A key is a name in expressions, so it looks like one.
fn read_key(object: &mut Object<'_>, problems: &mut Problems) -> Option<String> {
    let key = object.required_text("key", problems)?;
    let starts_well = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts_well && key.len() <= LONGEST_KEY && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Some(key.to_owned());
    }
    let shown: String = key.chars().take(LONGEST_KEY).collect();
    let message =
        format!("`{shown}` is not a key: use 1 to {LONGEST_KEY} letters, digits and underscores, a letter first");
    problems.add(object.place("key").problem(ProblemCode::InvalidValue, message));
    None
}

fn read_needs(object: &mut Object<'_>, problems: &mut Problems) -> Option<Vec<String>> {
    let place = object.place("needs");
    let items = object.read("needs", "a list of steps' keys", problems, Value::as_array)?;
    let mut needs: Vec<String> = Vec::with_capacity(items.len());
    for (number, item) in items.iter().enumerate() {
        match item.as_str() {
            Some(key) if needs.iter().any(|other| other == key) => {
                let message = format!("`{key}` is here twice");
                problems.add(place.child(number).problem(ProblemCode::Duplicate, message));
            }
            Some(key) => needs.push(key.to_owned()),
            None => problems.add(wrong_type(&place.child(number), "a step's key", item)),
        }
    }
    Some(needs)
}

fn read_input(fields: &Map<String, Value>) -> Vec<(String, Source)> {
    fields.iter().map(|(target, value)| (target.clone(), Source::read(value))).collect()
}

fn read_retry(object: &mut Object<'_>, problems: &mut Problems) -> Retry {
    let mut retry = Retry::default();
    let place = object.place("retry");
    let Some(value) = object.get("retry") else { return retry };
    let Some(mut fields) = Object::open(value, place, problems) else { return retry };
    let seconds = |value: &Value| value.as_f64().filter(|number| (0.0..=86_400.0).contains(number));
    let bounded = |bounds: std::ops::RangeInclusive<f64>| {
        move |value: &Value| value.as_f64().filter(|number| bounds.contains(number))
    };
    if let Some(attempts) = fields.number("attempts", 1..=100, problems) {
        retry.attempts = u32::try_from(attempts).unwrap_or(u32::MAX);
    }
    if let Some(delay) = fields.read("initialDelaySeconds", "seconds from 0 to 86400", problems, seconds) {
        retry.initial_delay = Duration::from_secs_f64(delay);
    }
    if let Some(factor) = fields.read("factor", "a number from 1 to 100", problems, bounded(1.0..=100.0)) {
        retry.factor = factor;
    }
    if let Some(delay) = fields.read("maxDelaySeconds", "seconds from 0 to 86400", problems, seconds) {
        retry.max_delay = Duration::from_secs_f64(delay);
    }
    if let Some(jitter) = fields.read("jitter", "a number from 0 to 1", problems, bounded(0.0..=1.0)) {
        retry.jitter = jitter;
    }
    fields.close(problems);
    retry
}

fn read_position(value: &Value, place: Place, problems: &mut Problems) -> Option<Position> {
    let mut object = Object::open(value, place, problems)?;
    let mut coordinate = |name| {
        object.require(name, problems);
        object.read(name, "a number", problems, |value| value.as_f64().filter(|number| number.is_finite()))
    };
    let (x, y) = (coordinate("x"), coordinate("y"));
    object.close(problems);
    Some(Position { x: x?, y: y? })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problems_of(document: Value) -> Vec<(String, ProblemCode)> {
        let mut problems = Problems::default();
        read(&document, &mut problems);
        problems.into_vec().into_iter().map(|problem| (problem.path, problem.code)).collect()
    }

    #[test]
    fn a_short_document_gets_the_defaults() {
        let mut problems = Problems::default();
        let document = json!({"name": "Triage", "steps": [
            {"key": "fetch", "agent": "Fetcher"},
            {"key": "classify", "agent": "Classifier", "input": {"id": "/steps/fetch/id", "n": "1 + 1", "k": {"a": 1}}},
            {"key": "log", "agent": "Logger", "needs": []},
        ]});
        let definition = read(&document, &mut problems).expect("a definition");
        assert!(problems.is_empty(), "{problems:?}");
        let [fetch, classify, log] = definition.steps.as_slice() else { panic!("three steps") };
        assert_eq!((fetch.needs.len(), &classify.needs, log.needs.len()), (0, &vec!["fetch".to_owned()], 0));
        assert_eq!(fetch.timeout, DEFAULT_STEP_TIMEOUT);
        assert_eq!((fetch.retry, fetch.gate), (Retry::default(), Gate::Policy));
        assert_eq!(
            classify.input.as_deref().expect("a mapping"),
            [
                ("id".to_owned(), Source::Path("/steps/fetch/id".to_owned())),
                ("n".to_owned(), Source::Expression("1 + 1".to_owned())),
                ("k".to_owned(), Source::Constant(json!({"a": 1}))),
            ]
        );
    }

    #[test]
    fn every_problem_has_its_place() {
        let found = problems_of(json!({
            "name": " ", "onError": "IGNORE", "color": "red", "limits": {"timeoutSeconds": 0},
            "steps": [
                {"key": "a b", "agent": "X"},
                {"key": "a", "agent": "X", "retry": {"attempts": 0, "factr": 2}, "needs": ["b", "b", 1]},
                {"key": "a", "timeoutSeconds": "soon", "position": {"x": 1}},
                {"key": "a", "agent": "X", "gate": "MAYBE"},
                7,
            ],
        }));
        let expected = [
            ("/name", ProblemCode::InvalidValue),
            ("/limits/timeoutSeconds", ProblemCode::WrongType),
            ("/onError", ProblemCode::WrongType),
            ("/steps/0/key", ProblemCode::InvalidValue),
            ("/steps/1/needs/1", ProblemCode::Duplicate),
            ("/steps/1/needs/2", ProblemCode::WrongType),
            ("/steps/1/retry/attempts", ProblemCode::WrongType),
            ("/steps/1/retry/factr", ProblemCode::UnknownField),
            ("/steps/2/agent", ProblemCode::Missing),
            ("/steps/2/timeoutSeconds", ProblemCode::WrongType),
            ("/steps/2/position/y", ProblemCode::Missing),
            ("/steps/3/gate", ProblemCode::WrongType),
            ("/steps/3/key", ProblemCode::Duplicate),
            ("/steps/4", ProblemCode::WrongType),
            ("/color", ProblemCode::UnknownField),
        ];
        let expected: Vec<(String, ProblemCode)> =
            expected.iter().map(|(path, code)| ((*path).to_owned(), *code)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_draft_needs_a_name_and_nothing_else() {
        let heading = |document: Value| {
            let mut problems = Problems::default();
            let heading = read_heading(&document, &mut problems);
            assert_eq!(heading.is_none(), !problems.is_empty());
            heading
        };
        let expected = Heading { name: "Triage".to_owned(), description: String::new() };
        assert_eq!(heading(json!({"name": " Triage ", "description": 7, "stepz": 1})), Some(expected));
        for name in [json!(null), json!(7), json!(" "), json!("a\u{7}"), json!("x".repeat(101))] {
            assert_eq!(heading(json!({"name": name})), None);
        }
        assert_eq!(heading(json!([])), None);
    }

    #[test]
    fn there_is_a_bound_on_steps() {
        let steps: Vec<Value> = (0..101).map(|n| json!({"key": format!("s{n}"), "agent": "X"})).collect();
        assert_eq!(problems_of(json!({"name": "Long", "steps": steps})), [("/steps".to_owned(), ProblemCode::TooMany)]);
        assert_eq!(
            problems_of(json!({"name": "Empty", "steps": []})),
            [("/steps".to_owned(), ProblemCode::InvalidValue)]
        );
        assert_eq!(problems_of(json!([])), [(String::new(), ProblemCode::WrongType)]);
    }
}
