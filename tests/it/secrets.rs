//! Secrets of workspaces: set, used and never shown.

mod hosts;

use std::{process::Stdio, time::Duration};

use chrono::{TimeDelta, Utc};
use countersign::{
    config::SecretKey,
    domain::{
        access::Scope,
        agent::{Http, Method},
        id::ExecutionId,
        json::Json,
        role::Role,
    },
    engine::{
        runners::{
            FailureCode,
            http::{Call, HttpRunner},
        },
        secrets::Unusable,
    },
};
use rstest::rstest;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    process::Command,
    time::timeout,
};

use crate::{
    identity::{audited, error_code, refusals},
    support::{Database, PATIENCE, TestApp, at, text},
};

const VALUE: &str = "correct-horse-battery-staple";
const SET: &str = "mutation($name: String!, $value: String!) {
    setSecret(input: {name: $name, value: $value, hosts: [\"api.example.com\", \"127.0.0.1:1\"]}) {
    secret { id name createdAt updatedAt updatedBy { email } } userErrors { code message path } } }";
const DELETE: &str = "mutation($name: String!) { deleteSecret(input: {name: $name}) {
    deletedSecretId userErrors { code message path } } }";
const LIST: &str = "query($first: Int, $after: String) { secrets(first: $first, after: $after) {
    totalCount nodes { name updatedBy { email } } pageInfo { endCursor hasNextPage } } }";

async fn set(app: &TestApp, token: &str, name: &str, value: &str) -> Value {
    app.graphql(token, SET, json!({"name": name, "value": value})).await
}

async fn delete(app: &TestApp, token: &str, name: &str) -> Value {
    app.graphql(token, DELETE, json!({"name": name})).await
}

/// A call that names secrets.
fn calling(names: &[&str]) -> Http {
    let header = |name: &&str| (format!("X-{name}"), format!("{{{{ secret.{name} }}}}"));
    let headers = names.iter().map(header).collect();
    Http { url: "https://api.example.com/".to_owned(), method: Method::Get, headers, max_concurrency: None }
}

/// A secret's value as an agent of the default workspace would get it.
async fn opened(app: &TestApp, name: &str) -> Result<String, Unusable> {
    opened_in(app, app.scope(), name).await
}

async fn opened_in(app: &TestApp, scope: Scope, name: &str) -> Result<String, Unusable> {
    let secrets = app.engine.secrets_for(scope.workspace(), "Caller", &calling(&[name])).await.expect("a lookup");
    secrets.get(name).map(|value| value.expose_secret().to_owned())
}

#[rstest]
#[tokio::test]
async fn a_secret_is_set_replaced_and_deleted(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;

    let first = set(&app, &token, "API_KEY", VALUE).await;
    let id = text(&first, "/data/setSecret/secret/id").to_owned();
    assert!(id.starts_with("secret_"));
    assert_eq!(at(&first, "/data/setSecret/secret/updatedBy"), &Value::Null, "a program is nobody");
    assert_eq!(opened(&app, "API_KEY").await.as_deref(), Ok(VALUE));

    app.clock.advance(TimeDelta::minutes(5));
    let second = set(&app, &ada.access_token, "API_KEY", "another value").await;
    let made = |answer: &Value| at(answer, "/data/setSecret/secret/createdAt").clone();
    assert_eq!((text(&second, "/data/setSecret/secret/id"), made(&second)), (id.as_str(), made(&first)));
    assert_ne!(at(&second, "/data/setSecret/secret/updatedAt"), &made(&second));
    assert_eq!(text(&second, "/data/setSecret/secret/updatedBy/email"), "ada@example.com");
    assert_eq!(opened(&app, "API_KEY").await.as_deref(), Ok("another value"));

    let answer =
        app.graphql(&token, "query($id: ID!) { node(id: $id) { id ... on Secret { name } } }", json!({"id": id}));
    assert_eq!(at(&answer.await, "/data/node"), &json!({"id": id, "name": "API_KEY"}));
    let answer = delete(&app, &token, "API_KEY").await;
    assert_eq!(text(&answer, "/data/deleteSecret/deletedSecretId"), id);
    assert_eq!(opened(&app, "API_KEY").await, Err(Unusable::Missing));
    let answer = delete(&app, &token, "API_KEY").await;
    assert_eq!(refusals(&answer, "deleteSecret"), ["NOT_FOUND"]);
    assert_eq!(at(&answer, "/data/deleteSecret/userErrors/0/path"), &json!(["input", "name"]));

    let entries = audited(&app, &token, &["SECRET_SET", "SECRET_DELETED"]).await;
    assert_eq!(entries.len(), 3);
    for entry in entries {
        assert_eq!((text(&entry, "/subjectId"), text(&entry, "/details/name")), (id.as_str(), "API_KEY"));
        assert!(!entry.to_string().contains(VALUE), "{entry}");
    }
}

#[rstest]
#[tokio::test]
async fn the_value_of_a_secret_is_nowhere(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let answers = [
        set(&app, &token, "API_KEY", VALUE).await,
        set(&app, &token, "API-KEY", VALUE).await,
        set(&app, &token, "API_KEY", &VALUE.repeat(3_000)).await,
        app.graphql(
            &token,
            &SET.replace("$value: String!", "$value: [String!]!"),
            json!({"name": "A", "value": [VALUE]}),
        )
        .await,
        app.graphql(&token, SET, json!({"name": [VALUE], "value": {"is": VALUE}})).await,
        app.graphql(&token, LIST, json!({})).await,
        app.graphql(&token, "{ auditEntries { nodes { action details } } }", json!({})).await,
    ];
    for answer in answers {
        assert!(!answer.to_string().contains(VALUE), "{answer}");
    }
    assert!(app.database.holds("API_KEY").await, "the search finds what is there");
    assert!(!app.database.holds(VALUE).await);
}

#[rstest]
#[tokio::test]
async fn wrong_secrets_are_explained(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    for (name, value, fields) in [
        ("", VALUE, &["name"][..]),
        ("1A", VALUE, &["name"]),
        ("a-b", VALUE, &["name"]),
        ("a\0", VALUE, &["name"]),
        (&"a".repeat(65), VALUE, &["name"]),
        ("A", "", &["value"]),
        ("A", &"é".repeat(32_769), &["value"]),
        ("é", "", &["name", "value"]),
    ] {
        let answer = set(&app, &token, name, value).await;
        let errors = at(&answer, "/data/setSecret/userErrors").as_array().expect("a list");
        let found: Vec<&str> = errors.iter().map(|error| text(error, "/path/1")).collect();
        assert_eq!(found, fields, "{answer}");
    }
    assert_eq!(refusals(&delete(&app, &token, "a\0").await, "deleteSecret"), ["INVALID"]);
    for value in ["x", &"é".repeat(32_768), "line\nbreak \0 \u{feff}"] {
        assert_eq!(refusals(&set(&app, &token, "A", value).await, "setSecret"), [""; 0]);
        assert_eq!(opened(&app, "A").await.as_deref(), Ok(value));
    }
}

#[rstest]
#[tokio::test]
async fn secrets_are_listed_by_name(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let ada = app.person("ada@example.com", &[Role::Admin]).await;
    for name in ["C", "A", "B"] {
        set(&app, &ada.access_token, name, VALUE).await;
    }
    let (mut names, mut after) = (Vec::new(), Value::Null);
    loop {
        let page = app.graphql(&ada.access_token, LIST, json!({"first": 2, "after": after})).await;
        assert_eq!(at(&page, "/data/secrets/totalCount"), &json!(3));
        for node in at(&page, "/data/secrets/nodes").as_array().expect("a list") {
            assert_eq!(text(node, "/updatedBy/email"), "ada@example.com");
            names.push(text(node, "/name").to_owned());
        }
        after = at(&page, "/data/secrets/pageInfo/endCursor").clone();
        if at(&page, "/data/secrets/pageInfo/hasNextPage") == &json!(false) {
            break;
        }
    }
    assert_eq!(names, ["A", "B", "C"]);
}

#[tokio::test]
async fn admins_set_secrets_and_authors_see_their_names() {
    let app = TestApp::start(Database::Sqlite).await;
    let admin = app.token(Role::Admin).await;
    let made = set(&app, &admin, "API_KEY", VALUE).await;
    let id = text(&made, "/data/setSecret/secret/id");
    for role in [Role::Viewer, Role::Operator, Role::Author, Role::Approver] {
        let token = app.token(role).await;
        for answer in [set(&app, &token, "API_KEY", "mine").await, delete(&app, &token, "API_KEY").await] {
            assert_eq!(error_code(&answer), "FORBIDDEN", "{role}");
        }
        let list = app.graphql(&token, LIST, json!({})).await;
        let node = app.graphql(&token, "query($id: ID!) { node(id: $id) { id } }", json!({"id": id})).await;
        if role == Role::Author {
            assert_eq!(at(&list, "/data/secrets/nodes/0/name"), "API_KEY");
            assert_eq!(at(&node, "/data/node/id"), id);
        } else {
            assert_eq!(error_code(&list), "FORBIDDEN", "{role}");
            assert_eq!(at(&node, "/data/node"), &Value::Null, "{role}");
        }
    }
    assert_eq!(opened(&app, "API_KEY").await.as_deref(), Ok(VALUE));
}

#[rstest]
#[tokio::test]
async fn workspaces_have_secrets_of_their_own(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let there = Scope::system(app.create_workspace("other").await.id);
    let (ours, theirs) = (app.token(Role::Admin).await, app.token_in(there, Role::Admin).await);
    set(&app, &ours, "API_KEY", "ours").await;
    set(&app, &theirs, "API_KEY", "theirs").await;
    set(&app, &theirs, "ELSE", "theirs").await;
    assert_eq!(opened(&app, "API_KEY").await.as_deref(), Ok("ours"));
    assert_eq!(opened_in(&app, there, "API_KEY").await.as_deref(), Ok("theirs"));
    assert_eq!(refusals(&delete(&app, &ours, "ELSE").await, "deleteSecret"), ["NOT_FOUND"]);
    delete(&app, &ours, "API_KEY").await;
    assert_eq!(opened_in(&app, there, "API_KEY").await.as_deref(), Ok("theirs"));

    // Moved by hand to another workspace, it stays shut.
    app.database.execute("UPDATE secret SET workspace_id = (SELECT id FROM workspace WHERE slug = 'default')").await;
    assert_eq!(opened(&app, "ELSE").await, Err(Unusable::Sealed));
}

#[tokio::test]
async fn only_what_is_named_is_opened() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    for name in ["A", "B"] {
        set(&app, &token, name, VALUE).await;
    }
    let secrets = app.engine.secrets_for(app.workspace.id, "Caller", &calling(&["A", "C"])).await.expect("a lookup");
    assert!(secrets.get("A").is_ok());
    assert_eq!(secrets.get("B").err(), Some(Unusable::Missing));
    assert_eq!(secrets.get("C").err(), Some(Unusable::Missing));
    assert!(!format!("{secrets:?}").contains(VALUE));
    let before = app.engine.store().statements();
    app.engine.secrets_for(app.workspace.id, "Caller", &calling(&[])).await.expect("nothing");
    assert_eq!(app.engine.store().statements(), before, "nothing costs nothing");
}

#[rstest]
#[tokio::test]
async fn secrets_need_the_key_that_sealed_them(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let key = |byte: u8| -> Option<SecretKey> {
        use base64::{Engine, prelude::BASE64_STANDARD};
        Some(BASE64_STANDARD.encode([byte; 32]).parse().expect("a key"))
    };
    let mut app = TestApp::start_with(database, |settings| settings.secret_key = key(1)).await;
    let token = app.token(Role::Admin).await;
    set(&app, &token, "API_KEY", VALUE).await;
    for (other, result) in [(key(1), Ok(VALUE)), (key(2), Err(Unusable::Sealed)), (None, Err(Unusable::Sealed))] {
        app.stop().await;
        app = TestApp::start_on(app.database.clone(), app.clock.clone(), |settings| settings.secret_key = other).await;
        assert_eq!(opened(&app, "API_KEY").await.as_deref(), result.as_deref());
    }

    // A call that needs it says so, and goes nowhere.
    let http = Http {
        url: "http://127.0.0.1:1/".to_owned(),
        method: Method::Get,
        headers: vec![("Authorization".to_owned(), "Bearer {{ secret.API_KEY }}".to_owned())],
        max_concurrency: None,
    };
    let secrets = app.engine.secrets_for(app.workspace.id, "Caller", &http).await.expect("a lookup");
    let call = Call {
        input: &Json::null(),
        idempotency_key: "1",
        execution: ExecutionId::new(Utc::now()),
        step: "call",
        secrets: &secrets,
        timeout: Duration::from_secs(5),
    };
    let mut settings = app.engine.settings().clone();
    settings.http_allow = "127.0.0.1/32".parse().expect("a network");
    let failure = HttpRunner::new(&settings).expect("a runner").run(&http, call).await.expect_err("no secret");
    assert_eq!((failure.code, failure.retryable), (FailureCode::Secret, false));
    assert!(failure.message.contains("a secret which cannot be opened"), "{}", failure.message);

    set(&app, &token, "API_KEY", "new").await;
    assert_eq!(opened(&app, "API_KEY").await.as_deref(), Ok("new"), "set again, it can be used");
}

#[rstest]
#[tokio::test]
async fn two_who_set_a_secret_at_once_agree(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    for _ in 0..5 {
        let (one, other, gone) = tokio::join!(
            set(&app, &token, "API_KEY", "one"),
            set(&app, &token, "API_KEY", "other"),
            delete(&app, &token, "API_KEY"),
        );
        for answer in [&one, &other] {
            assert_eq!(refusals(answer, "setSecret"), [""; 0], "{answer}");
        }
        let refused = refusals(&gone, "deleteSecret");
        assert!(refused.is_empty() || refused == ["NOT_FOUND"], "{gone}");
    }
    let value = set(&app, &token, "API_KEY", "last").await;
    assert_eq!(refusals(&value, "setSecret"), [""; 0]);
    assert_eq!(opened(&app, "API_KEY").await.as_deref(), Ok("last"));
}

#[tokio::test]
async fn a_secret_does_not_show_in_the_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
        command.env_clear().current_dir(folder.path()).kill_on_drop(true).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    let made = command().args(["token", "create", "--role", "admin", "--name", "a"]).output().await.expect("a token");
    let token = String::from_utf8(made.stdout).expect("text").trim().to_owned();
    let mut server = command().args(["serve", "--listen", "127.0.0.1:0", "--log", "trace"]).spawn().expect("a server");
    let mut stdout = BufReader::new(server.stdout.take().expect("its output"));
    let mut stderr = server.stderr.take().expect("its errors");
    let errors = tokio::spawn(async move {
        let mut text = String::new();
        stderr.read_to_string(&mut text).await.expect("text");
        text
    });
    let mut log = String::new();
    let url = loop {
        let start = log.len();
        let read = timeout(PATIENCE, stdout.read_line(&mut log)).await.expect("the server says something");
        assert_ne!(read.expect("text"), 0, "{log}");
        if let Some((_, url)) = log[start..].split_once("is listening on ") {
            break url.trim().to_owned();
        }
    };
    countersign::telemetry::install_crypto();
    let body = json!({"query": SET, "variables": {"name": "API_KEY", "value": VALUE}});
    let request = reqwest::Client::new().post(format!("{url}/graphql")).bearer_auth(token).json(&body);
    let answer: Value = request.send().await.expect("an answer").json().await.expect("JSON");
    assert_eq!(refusals(&answer, "setSecret"), [""; 0]);
    let id = server.id().expect("it runs").to_string();
    Command::new("kill").args(["-TERM", &id]).status().await.expect("a signal");
    timeout(PATIENCE, stdout.read_to_string(&mut log)).await.expect("it stops").expect("text");
    log += &errors.await.expect("its errors");
    assert!(log.contains("migrations"), "this is the log: {log}");
    assert!(!log.contains(VALUE), "{log}");
}
