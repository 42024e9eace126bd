//! Little to send and very much to compute: schemas, expressions and patterns.

use std::time::Instant;

use countersign::domain::{agent::Kind, role::Role};
use futures_util::future::{join, join_all};
use rstest::rstest;
use serde_json::{Map, Value, json};

use super::BOUND;
use crate::support::{Database, TestApp, at, text};

const VALIDATE: &str =
    "query($definition: JSON) { validateWorkflow(definition: $definition) { problems { path code message } } }";
const PREVIEW: &str = "query($input: PreviewWorkflowInput!) {
    previewWorkflow(input: $input) { steps { outcome reason } problems { code message } } }";
/// Each further sign of the text makes another state of this one.
const SLOW_PATTERN: &str = "[01]*1[01]{9000}x";

/// Definitions that each name the next one twice: as many ways through them as two to the power of their number.
fn doubling(levels: usize, combine: &str) -> Value {
    let next =
        |n: usize| json!({combine: [{"$ref": format!("#/$defs/a{}", n + 1)}, {"$ref": format!("#/$defs/a{}", n + 1)}]});
    let mut defs: Map<String, Value> = (0..levels).map(|n| (format!("a{n}"), next(n))).collect();
    defs.insert(format!("a{levels}"), json!({"type": "string"}));
    json!({"properties": {"v": {"$ref": "#/$defs/a0"}}, "$defs": defs})
}

/// The same, by the depth of the value: each level is looked at twice.
fn doubling_with_the_value() -> Value {
    json!({
        "properties": {"v": {"$ref": "#/$defs/tree"}},
        "$defs": {"tree": {"anyOf": [
            {"properties": {"a": {"$ref": "#/$defs/tree"}, "end": {"type": "string"}}},
            {"properties": {"a": {"$ref": "#/$defs/tree"}, "end": {"type": "string"}}},
        ]}},
    })
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!({"end": 1}), |inner, _| json!({"a": inner}))
}

fn binary(bytes: usize) -> String {
    // No period, so that no part of the text looks like another.
    (0..bytes as u64).map(|n| if n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 63 == 1 { '1' } else { '0' }).collect()
}

fn workflow(schema: &Value, default: &Value) -> Value {
    json!({"name": "W", "inputSchema": schema, "defaults": {"v": default}, "steps": [{"key": "s", "agent": "A"}]})
}

async fn started() -> (TestApp, String) {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("A", Kind::Worker, json!({"queue": "a"})).await;
    let token = app.token(Role::Viewer).await;
    (app, token)
}

#[rstest]
#[case::any_of(doubling(18, "anyOf"), json!(1))]
#[case::one_of(doubling(18, "oneOf"), json!(1))]
#[case::all_of(doubling(24, "allOf"), json!("fits"))]
#[case::the_value_decides(doubling_with_the_value(), nested(20))]
#[case::a_pattern(json!({"properties": {"v": {"pattern": SLOW_PATTERN}}}), json!(binary(20_000)))]
#[case::a_pattern_of_names(json!({"properties": {"v": {"patternProperties": {SLOW_PATTERN: true}}}}), json!({binary(20_000): 1}))]
#[tokio::test]
async fn a_schema_that_multiplies_the_work_is_cut_off(#[case] schema: Value, #[case] value: Value) {
    let (app, token) = started().await;
    let began = Instant::now();
    let answer = app.graphql(&token, VALIDATE, json!({"definition": workflow(&schema, &value)})).await;
    println!("{:?}", began.elapsed());
    assert!(began.elapsed() < BOUND, "{:?}", began.elapsed());
    let problem = at(&answer, "/data/validateWorkflow/problems/0");
    assert_eq!((text(problem, "/path"), text(problem, "/code")), ("/defaults/v", "SCHEMA_MISMATCH"), "{answer}");
    assert!(text(problem, "/message").contains("too much work"), "{answer}");
}

/// An input that cannot be checked is refused: it is not taken for right.
#[rstest]
#[tokio::test]
async fn an_input_that_takes_too_much_work_to_check_is_refused(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.agent("A", Kind::Worker, json!({"queue": "a"})).await;
    let definition = json!({"name": "W", "inputSchema": doubling(18, "anyOf"), "steps": [{"key": "s", "agent": "A"}]});
    let workflow = app.workflow(definition).await;
    let operator = app.token(Role::Operator).await;
    let start = "mutation($input: StartExecutionInput!) { startExecution(input: $input) { execution { id } userErrors { code message } } }";
    let variables = json!({"input": {"workflowId": workflow.to_string(), "input": {"v": 1}}});
    let answer = app.graphql(&operator, start, variables).await;
    assert_eq!(at(&answer, "/data/startExecution/execution"), &Value::Null, "{answer}");
    assert!(text(&answer, "/data/startExecution/userErrors/0/message").contains("too much work"), "{answer}");
    let variables = json!({"input": {"workflowId": workflow.to_string(), "input": {"v": "fits"}}});
    let answer = app.graphql(&operator, start, variables).await;
    assert_eq!(at(&answer, "/data/startExecution/userErrors"), &json!([]), "{answer}");
}

/// What people write, however large the value, is checked as before.
#[tokio::test]
async fn ordinary_schemas_have_room() {
    let (app, token) = started().await;
    let item = json!({"type": "object", "required": ["id", "kind"], "properties": {
        "id": {"type": "string", "pattern": "^[A-Z]{2}-\\d+$"},
        "kind": {"oneOf": [{"const": "a"}, {"const": "b"}, {"type": "null"}]},
        "next": {"anyOf": [{"$ref": "#/$defs/item"}, {"type": "null"}]},
    }});
    let schema =
        json!({"properties": {"v": {"type": "array", "items": {"$ref": "#/$defs/item"}}}, "$defs": {"item": item}});
    let one = json!({"id": "AB-1", "kind": "b", "next": {"id": "CD-2", "kind": null, "next": null}});
    let value = Value::Array(vec![one; 5_000]);
    let answer = app.graphql(&token, VALIDATE, json!({"definition": workflow(&schema, &value)})).await;
    assert_eq!(at(&answer, "/data/validateWorkflow/problems"), &json!([]), "{answer}");
}

fn preview(expressions: &[String], value: &Value) -> Value {
    let step = |(n, expression): (usize, &String)| json!({"key": format!("s{n}"), "agent": "A", "needs": [], "input": {"x": expression}});
    let steps: Vec<Value> = expressions.iter().enumerate().map(step).collect();
    json!({"input": {"definition": {"name": "W", "steps": steps}, "input": {"v": value}}})
}

#[tokio::test]
async fn a_pattern_pays_for_what_it_does() {
    let (app, token) = started().await;
    let expression = format!("input.v.matches('{SLOW_PATTERN}')");
    let began = Instant::now();
    let answer = app.graphql(&token, PREVIEW, preview(&[expression], &json!(binary(20_000)))).await;
    println!("{:?}", began.elapsed());
    assert!(text(&answer, "/data/previewWorkflow/steps/0/reason").contains("too much work"), "{answer}");
    // One that needs few states may look at a long text.
    let text_of_a_book = format!("{}Order AB-17 is late", "Nothing of note. ".repeat(60_000));
    let ordinary = "input.v.matches('[A-Z]{2}-[0-9]+ is (late|early)')".to_owned();
    let answer = app.graphql(&token, PREVIEW, preview(&[ordinary], &json!(text_of_a_book))).await;
    assert_eq!(text(&answer, "/data/previewWorkflow/steps/0/outcome"), "RUNS", "{answer}");
}

/// Each may do much, but not all of them together.
#[tokio::test]
async fn the_expressions_of_a_preview_share_what_they_may_do() {
    let (app, token) = started().await;
    let one = "size(lists.range(300).map(a, lists.range(300).filter(b, a * b == input.v)))".to_owned();
    let answer = app.graphql(&token, PREVIEW, preview(&vec![one.clone(); 100], &json!(1))).await;
    let reasons = at(&answer, "/data/previewWorkflow").to_string();
    assert!(reasons.contains("too much work"), "{reasons}");
    let answer = app.graphql(&token, PREVIEW, preview(&vec!["input.v * 2 + 1".to_owned(); 100], &json!(1))).await;
    let steps = at(&answer, "/data/previewWorkflow/steps").as_array().expect("steps");
    assert!(steps.len() == 100 && steps.iter().all(|step| step["outcome"] == "RUNS"), "{answer}");
}

/// Those who compute wait for each other and are turned away when too many do; everybody else is served.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn others_are_served_while_somebody_computes() {
    let (app, token) = started().await;
    let expression = format!("input.v.matches('{SLOW_PATTERN}')");
    let variables = preview(&[expression], &json!(binary(400_000)));
    let attack = join_all((0..8).map(|_| app.graphql(&token, PREVIEW, variables.clone())));
    let calm = async {
        let mut slowest = std::time::Duration::ZERO;
        for _ in 0..50 {
            let began = Instant::now();
            assert_eq!(app.http.get(app.url("/healthz")).send().await.expect("an answer").status(), 200);
            slowest = slowest.max(began.elapsed());
        }
        slowest
    };
    let began = Instant::now();
    let (answers, slowest) = join(attack, calm).await;
    println!("the attack took {:?}, the slowest other request {slowest:?}", began.elapsed());
    assert!(began.elapsed() < BOUND, "{:?}", began.elapsed());
    for answer in answers {
        let cut_off = answer.to_string().contains("too much work");
        let turned_away = answer.pointer("/errors/0/extensions/code") == Some(&json!("OVERLOADED"))
            && answer.pointer("/errors/0/extensions/retryAfterSeconds").is_some_and(Value::is_number);
        assert!(cut_off || turned_away, "{answer}");
    }
}
