//! To whom a secret may be sent.

use countersign::domain::{agent::Kind, execution::Status, role::Role};
use rstest::rstest;
use serde_json::{Value, json};

use crate::{
    identity::{audited, refusals},
    support::{Database, Service, TestApp, at, flows::allow_loopback, text},
};

const VALUE: &str = "correct-horse-battery-staple";
const SET: &str = "mutation($input: SetSecretInput!) { setSecret(input: $input) {
    secret { name hosts agents } userErrors { code message path } } }";
const MAKE: &str = "mutation($name: String!, $config: JSON!) {
    createAgent(input: {name: $name, kind: HTTP, config: $config}) { agent { id } userErrors { code message path } } }";

async fn set(app: &TestApp, token: &str, input: Value) -> Value {
    app.graphql(token, SET, json!({"input": input})).await
}

/// Host and port of a service.
fn host(service: &Service) -> String {
    service.url.trim_start_matches("http://").trim_end_matches('/').to_owned()
}

async fn echo() -> Service {
    Service::start(|call, _| (200, json!({"seen": call.authorization}).to_string())).await
}

/// How an agent is set up that sends the secret somewhere.
fn sending(url: &str) -> Value {
    json!({"url": url, "headers": {"Authorization": "Bearer {{ secret.API_KEY }}"}})
}

async fn make(app: &TestApp, token: &str, name: &str, config: Value) -> Value {
    app.graphql(token, MAKE, json!({"name": name, "config": config})).await
}

/// Runs one step of an agent and gives how it ended.
async fn run(app: &TestApp, agent: &str) -> (Status, Value) {
    let definition =
        json!({"name": format!("Run {agent} {}", uuid::Uuid::now_v7()), "steps": [{"key": "call", "agent": agent}]});
    let workflow = app.workflow(definition).await;
    let id = app.start_execution(workflow, json!({})).await;
    let status = app.wait_for_end(id).await.status;
    let viewer = app.token(Role::Viewer).await;
    let query = "query($id: ID!) { execution(id: $id) { steps { output error { code message } } } }";
    let answer = app.graphql(&viewer, query, json!({"id": id.to_string()})).await;
    (status, at(&answer, "/data/execution/steps/0").clone())
}

#[rstest]
#[tokio::test]
async fn an_author_does_not_read_a_secret_through_an_echo(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start_with(database, allow_loopback).await;
    let (admin, author) = (app.token(Role::Admin).await, app.token(Role::Author).await);
    let (good, evil) = (echo().await, echo().await);
    let made = set(&app, &admin, json!({"name": "API_KEY", "value": VALUE, "hosts": [host(&good)]})).await;
    assert_eq!(at(&made, "/data/setSecret/secret/hosts"), &json!([host(&good)]), "{made}");

    let refused = make(&app, &author, "Evil", sending(&evil.url)).await;
    assert_eq!(refusals(&refused, "createAgent"), ["INVALID"]);
    let message = text(&refused, "/data/createAgent/userErrors/0/message");
    let expected = format!("the secret `API_KEY` may not be sent to `{}`: it is for `{}`", host(&evil), host(&good));
    assert!(message.starts_with(&expected), "{message}");
    assert_eq!(at(&refused, "/data/createAgent/userErrors/0/path"), &json!(["input", "config"]));

    // The host that it is for gets it, and what that repeats is not shown.
    let made = make(&app, &author, "Good", sending(&good.url)).await;
    assert_eq!(refusals(&made, "createAgent"), [""; 0]);
    let (status, step) = run(&app, "Good").await;
    assert_eq!((status, at(&step, "/output")), (Status::Completed, &json!({"seen": "Bearer •••"})));
    assert_eq!(good.calls()[0].authorization, format!("Bearer {VALUE}"));
    assert!(!app.database.holds(VALUE).await);

    // A change of the agent is looked at as well.
    let id = text(&made, "/data/createAgent/agent/id");
    let update =
        "mutation($id: ID!, $config: JSON!) { updateAgent(input: {agentId: $id, baseVersion: 1, config: $config}) {
        agent { id } userErrors { code } } }";
    let refused = app.graphql(&author, update, json!({"id": id, "config": sending(&evil.url)})).await;
    assert_eq!(refusals(&refused, "updateAgent"), ["INVALID"]);

    // So is each call: an agent can be older than what its secret is for.
    set(&app, &admin, json!({"name": "API_KEY", "hosts": [host(&evil)]})).await;
    let (status, step) = run(&app, "Good").await;
    assert_eq!((status, text(&step, "/error/code")), (Status::Failed, "SECRET"));
    let message = text(&step, "/error/message");
    assert!(message.contains("`Authorization`") && message.contains("may not be sent to this host"), "{message}");
    assert!(!message.contains("API_KEY"), "everybody reads failures: {message}");
    assert_eq!((good.calls().len(), evil.calls().len()), (1, 0));
}

#[tokio::test]
async fn a_secret_can_be_for_some_agents_only() {
    let app = TestApp::start_with(Database::Sqlite, allow_loopback).await;
    let admin = app.token(Role::Admin).await;
    let service = echo().await;
    let input = json!({"name": "API_KEY", "value": VALUE, "hosts": [host(&service)], "agents": ["Billing"]});
    let made = set(&app, &admin, input).await;
    assert_eq!(at(&made, "/data/setSecret/secret/agents"), &json!(["Billing"]), "{made}");
    let refused = make(&app, &admin, "Other", sending(&service.url)).await;
    let message = text(&refused, "/data/createAgent/userErrors/0/message");
    assert!(message.starts_with("the secret `API_KEY` is for `Billing`, not for the agent `Other`"), "{message}");
    assert_eq!(refusals(&make(&app, &admin, "Billing", sending(&service.url)).await, "createAgent"), [""; 0]);
    assert_eq!(run(&app, "Billing").await.0, Status::Completed);
}

#[tokio::test]
async fn hosts_are_needed_and_stay_until_they_are_changed() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.token(Role::Admin).await;
    for (input, path, said) in [
        (json!({"name": "A", "value": "x"}), "hosts", "say to which hosts"),
        (json!({"name": "A", "value": "x", "hosts": []}), "hosts", "`hosts` is empty"),
        (json!({"name": "A", "value": "x", "hosts": ["*"]}), "hosts", "`*` is not a host"),
        (json!({"name": "A", "value": "x", "hosts": ["https://a.example/x"]}), "hosts", "`https://a.example/x` is not"),
        (json!({"name": "A", "hosts": ["a.example"]}), "value", "give it a value"),
    ] {
        let answer = set(&app, &admin, input).await;
        assert_eq!(at(&answer, "/data/setSecret/userErrors/0/path"), &json!(["input", path]), "{answer}");
        assert!(text(&answer, "/data/setSecret/userErrors/0/message").contains(said), "{answer}");
    }
    let hosts = json!(["B.example:8443", "a.example", "*.c.example", "a.example:443"]);
    let made = set(&app, &admin, json!({"name": "A", "value": "x", "hosts": hosts, "agents": ["One"]})).await;
    let kept = json!({"name": "A", "hosts": ["a.example", "b.example:8443", "*.c.example"], "agents": ["One"]});
    assert_eq!(at(&made, "/data/setSecret/secret"), &kept);
    assert_eq!(at(&set(&app, &admin, json!({"name": "A", "value": "y"})).await, "/data/setSecret/secret"), &kept);
    let changed = set(&app, &admin, json!({"name": "A", "agents": []})).await;
    assert_eq!(at(&changed, "/data/setSecret/secret/agents"), &json!([]));
    let newest = &audited(&app, &admin, &["SECRET_SET"]).await[0];
    assert_eq!(at(newest, "/details/hosts"), &kept["hosts"], "{newest}");
    assert_eq!(at(newest, "/details/value"), &json!(false), "its value is the one before");
}

#[rstest]
#[tokio::test]
async fn secrets_from_before_are_bound_to_the_hosts_of_their_agents(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut app = TestApp::start_with(database, allow_loopback).await;
    let admin = app.token(Role::Admin).await;
    let service = echo().await;
    for name in ["API_KEY", "UNUSED"] {
        set(&app, &admin, json!({"name": name, "value": VALUE, "hosts": [host(&service)]})).await;
    }
    app.agent("Caller", Kind::Http, sending(&service.url)).await;
    app.database.execute("UPDATE secret SET hosts = NULL, agents = NULL").await;
    let (status, step) = run(&app, "Caller").await;
    assert_eq!((status, text(&step, "/error/code")), (Status::Failed, "SECRET"));
    assert!(text(&step, "/error/message").contains("an admin must say to which hosts"), "{step}");

    app.stop().await;
    let app = TestApp::start_on(app.database.clone(), app.clock.clone(), allow_loopback).await;
    let list = app.graphql(&admin, "{ secrets { nodes { name hosts agents } } }", json!({})).await;
    let bound = json!([{"name": "API_KEY", "hosts": [host(&service)], "agents": []},
        {"name": "UNUSED", "hosts": [], "agents": []}]);
    assert_eq!(at(&list, "/data/secrets/nodes"), &bound);
    assert_eq!(run(&app, "Caller").await.0, Status::Completed);
    let entries = audited(&app, &admin, &["SECRET_SET"]).await;
    assert_eq!((entries.len(), text(&entries[0], "/actor/kind")), (4, "SYSTEM"));
}

#[tokio::test]
async fn only_authors_and_approvers_read_the_names_of_secrets_in_agents() {
    let app = TestApp::start(Database::Sqlite).await;
    let url = "https://api.example.com/{{ input.id }}?key={{secret.API_KEY}}";
    let id = app.agent("Caller", Kind::Http, sending(url)).await;
    let query = "query($id: ID!) { node(id: $id) { ... on Agent { config } } }";
    for role in Role::ALL {
        let token = app.token(role).await;
        let answer = app.graphql(&token, query, json!({"id": id.to_string()})).await;
        let config = at(&answer, "/data/node/config");
        if matches!(role, Role::Viewer | Role::Operator) {
            assert_eq!(config["url"], "https://api.example.com/{{ input.id }}?key={{ secret.••• }}", "{role}");
            assert_eq!(config["headers"]["Authorization"], "Bearer {{ secret.••• }}", "{role}");
        } else {
            assert_eq!((&config["url"], config.to_string().contains("•")), (&json!(url), false), "{role}");
        }
    }
}
