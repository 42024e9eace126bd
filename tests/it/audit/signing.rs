//! The server signs the log by time, by count, and when it stops.

use chrono::TimeDelta;
use countersign::domain::audit::{PublicKey, Report};
use rstest::rstest;

use super::{lines, sound};
use crate::support::{Database, PATIENCE, TestApp, TestClock};

/// Waits until the last entry is under a signature.
async fn signed(app: &TestApp) -> Report {
    let wait = async {
        loop {
            let report = sound(&lines(app).await);
            if report.signed == report.last {
                return report;
            }
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.expect("a signature")
}

#[rstest]
#[tokio::test]
async fn entries_are_signed_after_a_time(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    app.write_audit_entries(0..3).await;
    assert_eq!(sound(&lines(&app).await).signatures, 0);
    app.clock.advance(TimeDelta::seconds(61));
    assert_eq!(signed(&app).await.signatures, 1);
    app.write_audit_entries(3..4).await;
    app.clock.advance(TimeDelta::seconds(61));
    assert_eq!(signed(&app).await.signatures, 2);
}

#[rstest]
#[tokio::test]
async fn many_entries_are_signed_at_once(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start_with(database, |settings| settings.audit_sign_entries = 20).await;
    app.write_audit_entries(0..30).await;
    assert_eq!(signed(&app).await.signatures, 1);
}

#[rstest]
#[tokio::test]
async fn a_server_that_stops_signs_first(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let mut app = TestApp::start_with(database, |settings| settings.audit_key = key.parse().ok()).await;
    let own = app.engine.audit_key();
    app.write_audit_entries(0..3).await;
    app.stop().await;
    // The next server has another key: what the first one signed stays good.
    let app = TestApp::start_on(app.database.clone(), TestClock::default(), |_| {}).await;
    let report = sound(&lines(&app).await);
    assert_eq!((report.signatures, report.signed), (1, report.last));
    assert_eq!(report.keys.into_iter().collect::<Vec<_>>(), [own.to_string()]);
    app.write_audit_entries(3..4).await;
    app.engine.sign_audit_log(1).await.expect("signed");
    let keys = sound(&lines(&app).await).keys;
    assert_eq!(keys.len(), 2);
    assert!(keys.iter().all(|key| PublicKey::parse(key).is_some()));
}
