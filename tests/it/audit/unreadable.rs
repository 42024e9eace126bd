//! A value that cannot be read is evidence, not a failure to look.

use countersign::domain::role::Role;
use rstest::rstest;
use sea_orm::ConnectionTrait;

use super::beside::verify_on;
use crate::support::{Database, TestApp};

#[rstest]
#[case::details(Database::Sqlite, "UPDATE audit_entry SET details = 'not JSON' WHERE sequence = 5", "entry 5 ")]
#[case::a_time(Database::Sqlite, "UPDATE audit_entry SET at = 'yesterday' WHERE sequence = 3", "entry 3 ")]
#[case::an_id(Database::Sqlite, "UPDATE audit_entry SET id = x'00' WHERE sequence = 8", "entry 8 ")]
#[case::a_number(Database::Sqlite, "UPDATE audit_entry SET sequence = 'seven' WHERE sequence = 7", "entry 7 ")]
#[case::a_hash(Database::Sqlite, "UPDATE audit_entry SET hash = x'ff00' WHERE sequence = 6", "entry 6 ")]
#[case::a_value(
    Database::Sqlite,
    "UPDATE audit_value SET value = x'ff' WHERE part = 'subject' AND entry_id = (SELECT id FROM audit_entry WHERE sequence = 2)",
    "entry 2 "
)]
#[case::a_signature(Database::Sqlite, "UPDATE audit_signature SET key = x'ff'", "a signature")]
#[case::the_head(Database::Sqlite, "UPDATE audit_head SET sequence = 'x'", "the head of the log")]
#[case::a_time_without_end(Database::Postgres, "UPDATE audit_entry SET at = 'infinity' WHERE sequence = 3", "entry 3 ")]
#[tokio::test]
async fn a_corrupt_value_is_told_with_its_place(
    #[case] database: Database,
    #[case] statement: &str,
    #[case] place: &str,
) {
    let app = TestApp::start(database).await;
    app.person("ada@example.com", &[Role::Admin]).await;
    app.write_audit_entries(0..5).await;
    app.engine.sign_audit_log(1).await.expect("signed");
    let done = app.database.connect().await.execute_unprepared(statement).await.expect("changed");
    assert!(done.rows_affected() > 0, "{statement}");
    let (code, said) = verify_on(&app, &[]).await;
    assert!(code == Some(1) && said.contains("BROKEN") && said.contains(place), "{statement}: {code:?} {said}");
}
