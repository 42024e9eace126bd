//! An SQLite file that is deleted or replaced under a running server.

use std::path::PathBuf;

use countersign::{config::DatabaseUrl, domain::role::Role};
use reqwest::StatusCode;
use rstest::rstest;
use serde_json::json;

use crate::support::{Database, TestApp, at, code};

const CREATE: &str = "mutation($name: String!) { createGroup(input: {name: $name}) { group { id } } }";

/// As SQLite itself does on a full disk: the first undoes the whole transaction, the second its statement.
const FAILURES: &str = "
    CREATE TRIGGER first BEFORE INSERT ON approver_group WHEN NEW.name = 'first' BEGIN SELECT RAISE(ROLLBACK, 'no'); END;
    CREATE TRIGGER second BEFORE INSERT ON approver_group WHEN NEW.name = 'second' BEGIN SELECT RAISE(ABORT, 'no'); END";

#[tokio::test]
async fn what_is_acknowledged_after_a_failure_is_committed() {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    app.database.execute(FAILURES).await;
    for name in ["first", "second"] {
        let answer = app.graphql(&token, CREATE, json!({ "name": name })).await;
        assert_eq!(code(&answer), "INTERNAL", "{answer}");
    }
    let answer = app.graphql(&token, CREATE, json!({"name": "third"})).await;
    assert!(at(&answer, "/data/createGroup/group/id").is_string(), "{answer}");
    let mut beside = app.database.connect_sqlite().await;
    let count = "SELECT count(*) FROM approver_group WHERE name = 'third'";
    let seen: i64 = sea_orm::sqlx::query_scalar(count).fetch_one(&mut beside).await.expect("a count");
    assert_eq!(seen, 1);
}

#[derive(Debug, Clone, Copy)]
enum Loss {
    Deleted,
    Replaced,
    WalDeleted,
}

#[rstest]
#[tokio::test]
async fn nothing_is_acknowledged_once_the_file_is_gone(
    #[values(Loss::Deleted, Loss::Replaced, Loss::WalDeleted)] loss: Loss,
) {
    let app = TestApp::start(Database::Sqlite).await;
    let token = app.token(Role::Admin).await;
    let answer = app.graphql(&token, CREATE, json!({"name": "before"})).await;
    assert!(at(&answer, "/data/createGroup/group/id").is_string(), "{answer}");
    let DatabaseUrl::Sqlite(path) = &app.database.url else { panic!("not an SQLite file") };
    let aside = PathBuf::from(format!("{path}.aside"));
    match loss {
        Loss::Deleted => std::fs::remove_file(path).expect("deleted"),
        Loss::Replaced => {
            std::fs::rename(path, &aside).expect("moved");
            std::fs::copy(&aside, path).expect("copied");
        }
        Loss::WalDeleted => std::fs::remove_file(format!("{path}-wal")).expect("deleted"),
    }
    let response = app.post(Some(&token), CREATE, json!({"name": "after"})).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    let answer = response.json().await.expect("JSON");
    assert_eq!(code(&answer), "UNAVAILABLE", "{answer}");
    let ready = tokio::time::timeout(std::time::Duration::from_secs(4), async {
        while app.http.get(app.url("/readyz")).send().await.expect("an answer").status() == StatusCode::OK {}
    });
    ready.await.expect("not ready");
    if let Loss::Replaced = loss {
        // Whoever notices the mistake can undo it.
        std::fs::rename(&aside, path).expect("moved back");
        let answer = app.graphql(&token, CREATE, json!({"name": "afterwards"})).await;
        assert!(at(&answer, "/data/createGroup/group/id").is_string(), "{answer}");
    }
}
