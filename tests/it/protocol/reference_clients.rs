//! The protocols' reference clients, from Node.

use countersign::{config::Settings, domain::role::Role, store::Store};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Database, Node, TestApp, at, text};

/// Reads until so many events have come, and gives their numbers.
async fn events(client: &mut Node, count: usize) -> Vec<Value> {
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let line = client.next().await;
        if let Some(event) = line.get("event") {
            assert_eq!(text(event, "/action"), "GROUP_CREATED");
            numbers.push(at(event, "/details/number").clone());
        }
    }
    numbers
}

async fn start_again(mut app: TestApp) -> TestApp {
    app.stop().await;
    // Meanwhile somebody writes at the command line.
    let settings = Settings { database_url: Some(app.database.url.clone()), ..Settings::default() };
    let store = Store::open(&settings).await.expect("a database that nobody else has open");
    crate::support::write_audit_entries(&store, app.workspace.id, 20..30).await;
    store.close().await;
    let address = app.address;
    TestApp::start_on(app.database.clone(), app.clock.clone(), |settings| settings.listen = address).await
}

#[rstest]
#[tokio::test]
async fn graphql_ws_goes_on_after_a_restart(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let before = app.latest_cursor(&token).await;
    let url = format!("ws://{}/graphql", app.address);
    let mut client = Node::start("ws-client.mjs", &[&url, &token, &before]);
    assert_eq!(client.next().await, json!({"query": {"data": {"viewer": {"displayName": "test ADMIN"}}}}));
    assert_eq!(client.next().await, json!({"mutation": {"data": {"createGroup": {"group": {"name": "Node"}}}}}));
    assert_eq!(text(&client.next().await, "/refused/0/extensions/code"), "GRAPHQL_VALIDATION_FAILED");
    assert_eq!(text(&client.next().await, "/event/details/name"), "Node");
    app.write_audit_entries(0..20).await;
    assert_eq!(events(&mut client, 20).await, (0..20).collect::<Vec<_>>());

    let app = start_again(app).await;
    app.write_audit_entries(30..40).await;
    let closed = client.next().await;
    assert_eq!(closed, json!({"closed": {"code": 1001, "reason": "The server is stopping"}}));
    assert_eq!(events(&mut client, 20).await, (20..40).collect::<Vec<_>>());
}

#[rstest]
#[tokio::test]
async fn graphql_sse_goes_on_after_a_restart(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let before = app.latest_cursor(&token).await;
    let mut client = Node::start("sse-client.mjs", &[&app.url("/graphql"), &token, &before]);
    assert_eq!(client.next().await, json!({"query": {"data": {"viewer": {"displayName": "test ADMIN"}}}}));
    assert_eq!(client.next().await, json!({"mutation": {"data": {"createGroup": {"group": {"name": "Node"}}}}}));
    assert_eq!(text(&client.next().await, "/refused/errors/0/extensions/code"), "GRAPHQL_VALIDATION_FAILED");
    assert_eq!(text(&client.next().await, "/refused/errors/0/extensions/code"), "GRAPHQL_PARSE_FAILED");
    assert_eq!(text(&client.next().await, "/event/details/name"), "Node");
    app.write_audit_entries(0..20).await;
    assert_eq!(events(&mut client, 20).await, (0..20).collect::<Vec<_>>());

    let app = start_again(app).await;
    app.write_audit_entries(30..40).await;
    assert_eq!(client.next().await, json!({"completed": true}));
    assert_eq!(events(&mut client, 20).await, (20..40).collect::<Vec<_>>());
}
