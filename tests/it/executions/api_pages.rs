//! Lists of executions.

use countersign::domain::{agent::Kind, execution::Status, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use super::api::start;
use crate::support::{Database, TestApp, at, text};

#[rstest]
#[tokio::test]
async fn executions_are_found_by_what_is_known_of_them(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let operator = app.token(Role::Operator).await;
    app.agent("Constant", Kind::Transform, json!({"fields": {"n": 1}})).await;
    app.agent("Waiter", Kind::Worker, json!({"queue": "q"})).await;
    let quick = app.workflow(json!({"name": "Quick", "steps": [{"key": "a", "agent": "Constant"}]})).await.to_string();
    let slow = app.workflow(json!({"name": "Slow", "steps": [{"key": "a", "agent": "Waiter"}]})).await.to_string();
    let done = start(&app, &operator, &quick, json!({})).await;
    app.wait_for(done.parse().expect("an id"), Status::Completed).await;
    let waiting = start(&app, &operator, &slow, json!({})).await;
    app.wait_for(waiting.parse().expect("an id"), Status::Running).await;
    let query = "mutation($workflow: ID!) { startExecution(input: {workflowId: $workflow, input: {}, mode: TEST,
        correlationId: \"order 7\"}) { execution { id isTest } } }";
    let answer = app.graphql(&operator, query, json!({"workflow": slow})).await;
    assert_eq!(at(&answer, "/data/startExecution/execution/isTest"), &json!(true));
    let test = text(&answer, "/data/startExecution/execution/id").to_owned();
    app.wait_for(test.parse().expect("an id"), Status::Running).await;

    for (arguments, expected) in [
        (String::new(), vec![&test, &waiting, &done]),
        ("(orderBy: {direction: ASC})".to_owned(), vec![&done, &waiting, &test]),
        ("(filter: {status: [RUNNING, RUNNING]})".to_owned(), vec![&test, &waiting]),
        ("(filter: {status: [COMPLETED, FAILED]})".to_owned(), vec![&done]),
        (format!("(filter: {{workflowId: \"{quick}\"}})"), vec![&done]),
        ("(filter: {mode: TEST})".to_owned(), vec![&test]),
        ("(filter: {correlationId: \"order 7\"})".to_owned(), vec![&test]),
        (format!("(filter: {{originId: \"{done}\"}})"), vec![]),
        ("(filter: {until: \"2020-01-01T00:00:00Z\"})".to_owned(), vec![]),
        ("(filter: {from: \"2020-01-01T00:00:00Z\"}, first: 1)".to_owned(), vec![&test]),
    ] {
        let query = format!("{{ executions{arguments} {{ nodes {{ id }} }} }}");
        let answer = app.graphql(&operator, &query, json!({})).await;
        let found: Vec<&str> = at(&answer, "/data/executions/nodes")
            .as_array()
            .unwrap_or_else(|| panic!("{answer}"))
            .iter()
            .map(|node| text(node, "/id"))
            .collect();
        assert_eq!(found, expected, "{arguments}");
    }
}

#[rstest]
#[tokio::test]
async fn estimates_come_from_what_completed(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let operator = app.token(Role::Operator).await;
    app.agent("Waiter", Kind::Worker, json!({"queue": "q"})).await;
    let steps = json!([{"key": "a", "agent": "Waiter"}, {"key": "b", "agent": "Waiter", "needs": ["a"]}]);
    let workflow = app.workflow(json!({"name": "Slow", "steps": steps})).await.to_string();
    let estimate = "query($id: ID!) { execution(id: $id) { estimatedSecondsRemaining } }";
    let first = start(&app, &operator, &workflow, json!({})).await;
    let answer = app.graphql(&operator, estimate, json!({"id": first})).await;
    assert_eq!(at(&answer, "/data/execution/estimatedSecondsRemaining"), &Value::Null);
    for seconds in [30, 10] {
        let task = super::api::claim(&app, &operator, "q").await;
        app.clock.advance(chrono::Duration::seconds(seconds));
        super::api::complete(&app, &operator, &task, json!({})).await;
    }
    app.wait_for(first.parse().expect("an id"), Status::Completed).await;
    let answer = app.graphql(&operator, estimate, json!({"id": first})).await;
    assert_eq!(at(&answer, "/data/execution/estimatedSecondsRemaining"), &Value::Null);

    let second = start(&app, &operator, &workflow, json!({})).await;
    super::api::claim(&app, &operator, "q").await;
    app.clock.advance(chrono::Duration::seconds(10));
    let answer = app.graphql(&operator, estimate, json!({"id": second})).await;
    let left = at(&answer, "/data/execution/estimatedSecondsRemaining").as_f64().expect("an estimate");
    assert!((20.0..=40.0).contains(&left), "{left}");
}
