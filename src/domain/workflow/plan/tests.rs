use serde_json::{Value, json};

use crate::domain::{
    document::Problems,
    json::Json,
    workflow::{Computed, Plan, Values, read},
};

fn plan(steps: Value) -> Plan {
    let mut problems = Problems::default();
    let definition = read(&json!({"name": "Test", "steps": steps}), &mut problems).expect("a definition");
    assert!(problems.is_empty(), "{problems:?}");
    Plan::compile(definition).expect("a plan")
}

fn json(text: &str) -> Json {
    Json::parse(text).expect("valid")
}

fn triage() -> (Plan, Values) {
    let plan = plan(json!([
        {"key": "last", "agent": "A", "needs": ["fetch", "score"], "when": "steps.score.n > 1 && input.go", "input": {
            "whole": "/steps/fetch",
            "id": "steps.fetch.id",
            "twice": "steps.score.n * 2",
            "both": "{'z': context.id, 'a': steps.fetch.big}",
            "fixed": [1, {"a": null}],
            "all": "/context/n",
            "from": "/input/go",
        }},
        {"key": "fetch", "agent": "A", "needs": []},
        {"key": "score", "agent": "A", "needs": ["fetch"]},
    ]));
    let mut values = Values::new(json(r#"{"go":true,"id":"input","n":0}"#), 3);
    values.outputs[1] = Some(json(r#"{"id":"f","big":123456789012345678901234567890,"n":1}"#));
    values.outputs[2] = Some(json(r#"{"n":2.50}"#));
    (plan, values)
}

#[test]
fn the_context_is_merged_in_the_order_of_the_graph() {
    let (plan, mut values) = triage();
    assert_eq!(plan.context(&values).text(), r#"{"go":true,"id":"f","n":2.50,"big":123456789012345678901234567890}"#);
    values.outputs[2] = Some(json("[1]"));
    values.outputs[1] = None;
    assert_eq!(plan.context(&values).text(), r#"{"go":true,"id":"input","n":0}"#);
}

#[test]
fn only_what_is_computed_is_kept() {
    let (plan, values) = triage();
    let computed = plan.compute(0, &values).expect("computed");
    assert_eq!(computed.to_json().text(), r#"{"twice":5.0,"both":{"z":"f","a":123456789012345678901234567890}}"#);
    let input = plan.input(0, &computed, &values).expect("an input");
    assert_eq!(
        input.text(),
        concat!(
            r#"{"whole":{"id":"f","big":123456789012345678901234567890,"n":1},"id":"f","twice":5.0,"#,
            r#""both":{"z":"f","a":123456789012345678901234567890},"fixed":[1,{"a":null}],"all":2.50,"from":true}"#
        )
    );
    assert!(plan.compute(2, &values).expect("nothing").is_empty());
    assert_eq!(
        plan.input(2, &Computed::default(), &values).expect("the context").text(),
        r#"{"go":true,"id":"f","n":1,"big":123456789012345678901234567890}"#,
        "only what is before a step is seen by it"
    );
    assert_eq!(plan.input(1, &Computed::default(), &values).expect("the context"), values.input);
    assert_eq!(
        plan.input(0, &Computed::default(), &values).expect_err("lost").to_string(),
        "`twice`: has not been computed"
    );
}

#[test]
fn conditions_decide() {
    let (plan, mut values) = triage();
    assert_eq!(plan.when(0, &values), Ok(true));
    assert_eq!(plan.when(1, &values), Ok(true));
    values.outputs[2] = Some(json(r#"{"n":1}"#));
    assert_eq!(plan.when(0, &values), Ok(false));
    values.outputs[2] = None;
    assert_eq!(
        plan.when(0, &values).expect_err("no output").to_string(),
        "`steps.score.n > 1 && input.go`: the step `score` has no output: it has not run, was skipped or has failed"
    );
}

#[test]
fn what_is_missing_is_named() {
    let (plan, mut values) = triage();
    let error = |values: &Values| {
        let computed = plan.compute(0, values).expect("computed");
        plan.input(0, &computed, values).expect_err("missing").to_string()
    };
    values.input = json(r#"{"n":1,"id":1}"#);
    assert_eq!(error(&values), "`/input/go`: no such field `go` in `/input`");
    values.outputs[1] = Some(json(r#"{"big":1}"#));
    assert_eq!(error(&values), "`steps.fetch.id`: no such key `id` in `steps.fetch`");
}

#[test]
fn references_to_steps_are_found() {
    let (plan, _) = triage();
    assert_eq!(plan.refers_to(0), [2, 1]);
    assert!(plan.refers_to(1).is_empty());
}

#[test]
fn all_that_cannot_be_read_is_told() {
    let mut problems = Problems::default();
    let document = json!({"name": "Test", "steps": [
        {"key": "a", "agent": "A", "when": "1 +", "input": {"x": "foo(1)", "y": "/ok", "z": "'"}},
        {"key": "b", "agent": "A", "needs": ["nobody"]},
    ]});
    let definition = read(&document, &mut problems).expect("a definition");
    let found = Plan::compile(definition).expect_err("problems");
    let paths: Vec<&str> = found.iter().map(|problem| problem.path.as_str()).collect();
    assert_eq!(paths, ["/steps/1/needs/0", "/steps/0/when", "/steps/0/input/x", "/steps/0/input/z"]);
}
