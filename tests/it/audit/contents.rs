//! What was approved cannot be changed in the journal either.

use countersign::{
    domain::{
        checkpoint::{Contents, Event as CheckpointEvent},
        execution::{Data, Event},
        json::Json,
    },
    engine::audit::contents,
    store::journal,
};
use rstest::rstest;
use sea_orm::{ActiveModelTrait, ActiveValue::Set, ConnectionTrait, DatabaseConnection, EntityTrait, IntoActiveModel};
use serde_json::json;

use super::{beside::verify_on, decided};
use crate::support::{Database, TestApp};

/// Writes a text instead of another everywhere in the journal.
async fn replace(connection: &DatabaseConnection, old: &str, new: &str) {
    let mut changed = 0;
    for row in entity::journal::Entity::find().all(connection).await.expect("rows") {
        let texts: Vec<String> = journal::lines(&row).expect("lines").into_iter().map(|(_, text)| text).collect();
        let text = if row.lines == 1 { texts.concat() } else { format!("[{}]", texts.join(",")) };
        if text.contains(old) {
            let mut row = row.into_active_model();
            row.data = Set(text.replace(old, new));
            row.packed = Set(None);
            row.update(connection).await.expect("changed");
            changed += 1;
        }
    }
    assert!(changed > 0, "`{old}` is not in the journal");
}

async fn problems(app: &TestApp) -> String {
    contents::check(app.engine.store(), app.workspace.id).await.expect("a look").problems.join("\n")
}

/// The digest of the request with another amount.
async fn other_digest(app: &TestApp) -> (String, String) {
    let scope = app.scope();
    let filter = journal::JournalFilter::default();
    let range = countersign::store::Range { above: None, below: None, newest_first: false, limit: 1000 };
    let lines = app.engine.store().journal(scope, &filter, range).await.expect("the journal");
    let requested = lines.into_iter().find_map(|line| match line.event {
        Ok(Event::Checkpoint(CheckpointEvent::Requested(requested))) => Some(requested),
        _ => None,
    });
    let requested = requested.expect("a request");
    let Data::Inline(parameters) = &requested.proposal.parameters else { panic!("a short value") };
    let parameters = Json::parse(&parameters.text().replace("4242", "9999")).expect("JSON");
    let mut proposal = requested.proposal.clone();
    proposal.description = proposal.description.replace("4242", "9999");
    let changed = proposal.digest(&Contents { parameters, supporting_data: None, items: None });
    (requested.digest.clone(), changed)
}

#[rstest]
#[tokio::test]
async fn whatever_is_changed_about_an_approval_is_found(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    decided(&app, "ada@example.com", json!({"amount": 4242}), true).await;
    app.engine.sign_audit_log(1).await.expect("signed");
    let connection = app.database.connect().await;
    assert_eq!(problems(&app).await, "");
    let (code, said) = verify_on(&app, &[]).await;
    assert_eq!(code, Some(0), "{said}");
    // The amount alone.
    replace(&connection, "4242", "9999").await;
    assert!(problems(&app).await.contains("is not what was proposed"), "{}", problems(&app).await);
    let (code, said) = verify_on(&app, &[]).await;
    assert!(code == Some(1) && said.contains("is not what was proposed"), "{said}");
    let report = app.engine.examine(false).await.expect("a look");
    assert!(report.problems.iter().any(|problem| problem.contains("is not what was proposed")), "{report:?}");
    replace(&connection, "9999", "4242").await;
    assert_eq!(problems(&app).await, "");
    // With its digest, everywhere in the journal and its rows.
    let (old, new) = other_digest(&app).await;
    for (from, to) in [("4242", "9999"), (old.as_str(), new.as_str())] {
        replace(&connection, from, to).await;
    }
    let row = format!("UPDATE checkpoint SET digest = '{new}'");
    connection.execute_unprepared(&row).await.expect("changed");
    let found = problems(&app).await;
    assert!(!found.contains("is not what was proposed") && found.contains("the digest of what was seen"), "{found}");
    for (from, to) in [("9999", "4242"), (new.as_str(), old.as_str())] {
        replace(&connection, from, to).await;
    }
    connection.execute_unprepared(&format!("UPDATE checkpoint SET digest = '{old}'")).await.expect("changed");
    assert_eq!(problems(&app).await, "");
    // Another verdict, and a status that nobody decided.
    replace(&connection, "\"APPROVE\"", "\"REJECT\"").await;
    let found = problems(&app).await;
    assert!(found.contains("says `checkpoint.rejected`") && found.contains("says `checkpoint.approved`"), "{found}");
    replace(&connection, "\"REJECT\"", "\"APPROVE\"").await;
    connection.execute_unprepared("UPDATE checkpoint SET status = 'REJECTED'").await.expect("changed");
    assert!(problems(&app).await.contains("its row says REJECTED"), "{}", problems(&app).await);
    connection.execute_unprepared("UPDATE checkpoint SET status = 'APPROVED'").await.expect("changed");
    // A decision that is gone from the journal.
    let gone = "UPDATE journal SET kind = replace(kind, 'checkpoint.decided', 'checkpoint.reminded')";
    connection.execute_unprepared(gone).await.expect("changed");
    assert!(problems(&app).await.contains("and the journal does not"), "{}", problems(&app).await);
}

#[rstest]
#[tokio::test]
async fn a_large_value_that_was_changed_is_found(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    decided(&app, "ada@example.com", json!({"amount": 4242, "note": "x".repeat(100_000)}), true).await;
    let connection = app.database.connect().await;
    assert_eq!(problems(&app).await, "");
    let done = connection.execute_unprepared("UPDATE payload SET bytes = bytes - 1").await.expect("changed");
    assert!(done.rows_affected() > 0);
    assert!(problems(&app).await.contains("has a stored value"), "{}", problems(&app).await);
}
