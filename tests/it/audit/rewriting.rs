//! Whoever has the database but not the key cannot rewrite what is signed, and gets nothing forged signed.

use chrono::TimeDelta;
use countersign::{
    domain::{
        audit::{Fault, Line, Trust},
        role::Role,
    },
    engine::{Origin, commands::CreateGroup},
};
use rstest::rstest;
use sea_orm::{ConnectionTrait, DatabaseConnection};
use serde_json::json;

use super::{beside::verify_on, broken, decided, lines, lines_left, sound};
use crate::support::{Database, TestApp, TestClock};

const KEY: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

/// A clock that leaves room for what happens before the command line looks, which has the real time.
fn an_hour_ago() -> TestClock {
    let clock = TestClock::default();
    clock.advance(TimeDelta::hours(-1));
    clock
}

async fn start(database: Database, clock: &TestClock) -> TestApp {
    TestApp::start_on(database.fresh().await, clock.clone(), |settings| settings.audit_key = KEY.parse().ok()).await
}

async fn restart(app: &TestApp) -> TestApp {
    let (database, clock) = (app.database.clone(), app.clock.clone());
    TestApp::start_on(database, clock, |settings| settings.audit_key = KEY.parse().ok()).await
}

async fn execute(connection: &DatabaseConnection, statement: &str) {
    connection.execute_unprepared(statement).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
}

/// Makes an approval of a rejection, and everything else fit, as far as that can be done without the key.
async fn rewrite(app: &TestApp, connection: &DatabaseConnection) -> i64 {
    let (mut hash, mut from) = (String::new(), None);
    for line in lines_left(app).await {
        let Line::Entry(mut entry) = line else { continue };
        let last = entry.sequence();
        if entry.text("action") == "checkpoint.rejected" {
            from = Some(last);
            entry.content.insert("action".to_owned(), "checkpoint.approved".into());
        }
        if from.is_some_and(|from| last > from) {
            entry.content.insert("previous".to_owned(), hash.as_str().into());
            entry.content.shift_remove("seal");
        }
        hash = entry.true_hash();
        if from.is_some() {
            let (action, previous) = (entry.text("action"), entry.text("previous"));
            let seal = if from == Some(last) { "seal" } else { "NULL" };
            let statement = format!(
                "UPDATE audit_entry SET action = '{action}', previous = '{previous}', hash = '{hash}', seal = {seal} \
                 WHERE sequence = {last}"
            );
            execute(connection, &statement).await;
        }
    }
    let from = from.expect("a rejection");
    execute(connection, &format!("DELETE FROM audit_signature WHERE sequence >= {from}")).await;
    execute(connection, &format!("UPDATE audit_head SET hash = '{hash}', signed = 0, seal = NULL")).await;
    from
}

#[rstest]
#[tokio::test]
async fn a_history_that_is_written_anew_is_found_and_never_signed(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut app = start(database, &an_hour_ago()).await;
    app.person("ada@example.com", &[Role::Admin]).await;
    app.engine.sign_audit_log(1).await.expect("signed");
    decided(&app, "bob@example.com", json!({"amount": 4242}), false).await;
    app.engine.sign_audit_log(1).await.expect("signed");
    app.clock.advance(TimeDelta::minutes(10));
    app.person("eve@example.com", &[Role::Admin]).await;
    app.stop().await;
    let key = app.engine.audit_key();
    assert_eq!(verify_on(&app, &["--key", &key.to_string()]).await.0, Some(0));
    let connection = app.database.connect().await;
    let from = rewrite(&app, &connection).await;
    let now = Some(app.clock.clock().now() + TimeDelta::minutes(10));
    let trust = Trust { keys: vec![key.clone()], now, interval: Some(TimeDelta::minutes(1)), ..Trust::default() };
    let (fault, sequence) = broken(&lines_left(&app).await, trust);
    assert!(fault == Fault::Unsigned && sequence <= from, "{fault} {sequence}");
    let (code, said) = verify_on(&app, &["--key", &key.to_string()]).await;
    assert!(code == Some(1) && said.contains("was left unsigned"), "{said}");
    assert!(said.contains("says `checkpoint.approved`, and the journal does not"), "{said}");
    // The server records on, says so, and signs nothing.
    let mut again = restart(&app).await;
    let signatures = sound(&lines(&again).await).signatures;
    let admin = again.token(Role::Admin).await;
    again.clock.advance(TimeDelta::minutes(2));
    assert_eq!(again.engine.sign_audit_log(1).await.expect("nothing"), 0);
    let answer = again.graphql(&admin, "{ auditChain { refusedBecause } }", json!({})).await;
    let why = answer["data"]["auditChain"]["refusedBecause"].as_str().expect("why it refuses").to_owned();
    assert!(why.contains("signatures were removed"), "{why}");
    again.stop().await;
    assert_eq!(sound(&lines_left(&again).await).signatures, signatures);
}

#[rstest]
#[tokio::test]
async fn what_a_crash_leaves_behind_is_signed_at_the_next_start(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut app = start(database, &an_hour_ago()).await;
    let ada = app.approver("ada@example.com", &[Role::Admin], &[]).await;
    let other = app.another_process().await;
    app.stop().await;
    let group =
        CreateGroup { name: "late".to_owned(), description: String::new(), members: Vec::new(), idempotency_key: None };
    other.create_group(ada, group, &Origin::default()).await.expect("a group");
    app.clock.advance(TimeDelta::minutes(30));
    let key = app.engine.audit_key().to_string();
    let (code, said) = verify_on(&app, &["--key", &key]).await;
    assert!(code == Some(1) && said.contains("the server ended before it could sign"), "{said}");
    let again = restart(&app).await;
    let report = sound(&lines(&again).await);
    assert_eq!(report.signed, report.last);
    assert_eq!(verify_on(&app, &["--key", &key]).await.0, Some(0));
}

#[rstest]
#[tokio::test]
async fn signatures_are_part_of_the_chain(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = start(database, &an_hour_ago()).await;
    app.person("ada@example.com", &[Role::Admin]).await;
    app.engine.sign_audit_log(1).await.expect("signed");
    let first = sound(&lines(&app).await).signed;
    app.write_audit_entries(0..3).await;
    app.engine.sign_audit_log(1).await.expect("signed");
    app.write_audit_entries(3..6).await;
    let connection = app.database.connect().await;
    execute(&connection, &format!("DELETE FROM audit_signature WHERE sequence = {first}")).await;
    assert_eq!(broken(&lines(&app).await, Trust::default()), (Fault::Removed, first));
    // A server that runs remembers what it has seen, and does not go on with less.
    execute(&connection, "DELETE FROM audit_signature").await;
    execute(&connection, "UPDATE audit_entry SET seal = NULL").await;
    execute(&connection, "UPDATE audit_head SET signed = 0, seal = NULL").await;
    assert_eq!(app.engine.sign_audit_log(1).await.expect("nothing"), 0);
    assert!(app.engine.audit_refusal(app.workspace.id).is_some());
}

#[rstest]
#[tokio::test]
async fn a_log_whose_chain_was_taken_away_gets_no_new_one(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut app = start(database, &an_hour_ago()).await;
    app.person("ada@example.com", &[Role::Admin]).await;
    app.stop().await;
    let connection = app.database.connect().await;
    execute(&connection, "DELETE FROM audit_signature").await;
    execute(&connection, "DELETE FROM audit_head").await;
    execute(&connection, "UPDATE audit_entry SET sequence = NULL, previous = NULL, hash = NULL, seal = NULL").await;
    let again = restart(&app).await;
    again.write_audit_entries(0..1).await;
    assert_eq!(broken(&lines(&again).await, Trust::default()).0, Fault::Inserted);
}
