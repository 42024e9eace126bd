//! Places outside the database see how far the log is, and it cannot be cut off or written anew behind their backs.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    extract::{Path, Query, State},
    routing::{get, put},
};
use countersign::domain::{
    audit::{Seen, Signer},
    role::Role,
};
use rstest::rstest;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use super::{
    beside::{on, said, verify_on},
    lines, lines_left, sound,
};
use crate::support::{Database, Service, TestApp};

/// A server that tells these places, and has signed something.
async fn witnessed(database: Database, places: &str, token: Option<&str>) -> TestApp {
    let app = TestApp::start_with(database, |settings| {
        settings.audit_witness = places.parse().expect("places");
        settings.audit_witness_token = token.map(Into::into);
    })
    .await;
    grow(&app).await;
    app
}

/// More entries, a signature, and witnesses that have seen it.
async fn grow(app: &TestApp) {
    app.write_audit_entries(0..3).await;
    assert_eq!(app.engine.sign_audit_log(1).await.expect("signed"), 1);
    assert!(app.engine.tell_witnesses().await.expect("told"), "all places take it");
}

/// Puts the log back to where it was when it was signed up to an entry, as whoever restores a copy would.
async fn cut_off(app: &TestApp, last: i64) {
    let connection = app.database.connect().await;
    let (mut hash, mut seal) = (String::new(), String::new());
    for line in lines_left(app).await {
        match line {
            countersign::domain::audit::Line::Entry(entry) if entry.sequence() == last => hash = entry.hash.clone(),
            countersign::domain::audit::Line::Signature(one) if one.sequence == last => seal = one.seal(),
            _ => {}
        }
    }
    for statement in [
        format!("DELETE FROM audit_signature WHERE sequence > {last}"),
        format!("DELETE FROM audit_entry WHERE sequence > {last}"),
        format!("UPDATE audit_head SET sequence = {last}, hash = '{hash}', signed = {last}, seal = '{seal}'"),
    ] {
        connection.execute_unprepared(&statement).await.expect("done");
    }
}

#[rstest]
#[tokio::test]
async fn a_file_remembers_what_was_cut_off_or_written_anew(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("heads.jsonl");
    let place = format!("file://{}", file.display());
    let mut app = witnessed(database, &place, None).await;
    let early = sound(&lines(&app).await).signed;
    grow(&app).await;
    let heads = std::fs::read_to_string(&file).expect("a file");
    assert_eq!(heads.lines().count(), 2, "{heads}");
    let admin = app.token(Role::Admin).await;
    let query = "{ auditChain { witnesses { place sequence witnessedAt failure failures } } }";
    let answer = app.graphql(&admin, query, json!({})).await;
    let seen = &answer["data"]["auditChain"]["witnesses"][0];
    assert_eq!((&seen["place"], &seen["failures"]), (&json!(place), &json!(0)), "{answer}");
    assert!(seen["witnessedAt"].is_string() && seen["sequence"] == early + 3, "{answer}");
    app.stop().await;
    let file = file.display().to_string();
    assert_eq!(verify_on(&app, &["--witness", &file, "--witness", &place]).await.0, Some(0));
    cut_off(&app, early).await;
    assert_eq!(verify_on(&app, &[]).await.0, Some(0), "the database alone does not tell");
    let (code, said) = verify_on(&app, &["--witness", &file]).await;
    assert!(code == Some(1) && said.contains("saw entry") && said.contains("was removed"), "{said}");
    // Others in their place.
    let again = TestApp::start_on(app.database.clone(), app.clock.clone(), |_| {}).await;
    again.write_audit_entries(100..110).await;
    again.engine.sign_audit_log(1).await.expect("signed");
    let (code, said) = verify_on(&again, &["--witness", &file]).await;
    assert!(code == Some(1) && said.contains("written anew"), "{said}");
    // A witness that was changed is no witness, and one that cannot be read is not asked.
    std::fs::write(&file, heads.replacen("\"sequence\":", "\"sequence\":1", 1)).expect("written");
    let (code, said) = verify_on(&again, &["--witness", &file]).await;
    assert!(code == Some(1) && said.contains("is not good"), "{said}");
    std::fs::write(&file, "nonsense").expect("written");
    for place in [file.as_str(), "/nonexistent", "https://example.com/hook"] {
        assert_eq!(verify_on(&again, &["--witness", place]).await.0, Some(2), "{place}");
    }
}

#[tokio::test]
async fn a_webhook_is_told_until_it_takes_the_head() {
    let service = Service::start(|_, number| (if number == 0 { 503 } else { 200 }, "{}".to_owned())).await;
    let place = service.url.clone();
    let mut app = TestApp::start_with(Database::Sqlite, |settings| {
        settings.audit_witness = place.parse().expect("a place");
        settings.audit_witness_token = Some("hush".into());
        settings.audit_sign_interval = "1d".parse().expect("a duration");
    })
    .await;
    app.write_audit_entries(0..3).await;
    app.engine.sign_audit_log(1).await.expect("signed");
    // The server itself tells it, and once more when that has failed.
    service.wait_for_calls(1).await;
    app.clock.advance(chrono::TimeDelta::seconds(10));
    let calls = service.wait_for_calls(2).await;
    let seen: Seen = serde_json::from_str(&calls[1].body).expect("a head");
    assert!(seen.head.made_by().is_some() && seen.slug == "default", "{seen:?}");
    assert_eq!(calls[1].authorization, "Bearer hush");
    app.stop().await;
    // What its receiver keeps is a witness.
    let file = app.database.folder.path().join("posted.jsonl");
    std::fs::write(&file, calls.iter().map(|call| format!("{}\n", call.body)).collect::<String>()).expect("written");
    let (code, said) = verify_on(&app, &["--witness", &file.display().to_string()]).await;
    assert!(code == Some(0) && said.contains("heads that witnesses saw"), "{said}");
}

#[tokio::test]
async fn a_place_that_fails_is_shown_and_keeps_nobody_waiting() {
    let service = Service::start(|_, _| (500, "out of order".to_owned())).await;
    let place = service.url.clone();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("heads.jsonl");
    let places = format!("{place},file://{}", file.display());
    let app = TestApp::start_with(Database::Sqlite, |settings| {
        settings.audit_witness = places.parse().expect("places");
    })
    .await;
    app.write_audit_entries(0..3).await;
    app.engine.sign_audit_log(1).await.expect("signed");
    assert!(!app.engine.tell_witnesses().await.expect("tried"));
    assert!(std::fs::read_to_string(&file).expect("a file").lines().count() > 0);
    let admin = app.token(Role::Admin).await;
    let query = "{ auditChain { witnesses { failure failedAt failures witnessedAt } } }";
    let answer = app.graphql(&admin, query, json!({})).await;
    let seen = &answer["data"]["auditChain"]["witnesses"][0];
    assert!(seen["failure"].as_str().is_some_and(|text| text.contains("500")), "{answer}");
    assert!(seen["failedAt"].is_string() && seen["witnessedAt"].is_null(), "{answer}");
}

#[rstest]
#[tokio::test]
async fn another_server_is_a_witness(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let other = TestApp::start(Database::Sqlite).await;
    let operator = other.token(Role::Operator).await;
    let place = format!("countersign+{}", other.url(""));
    let mut app = witnessed(database, &place, Some(&operator)).await;
    let early = sound(&lines(&app).await).signed;
    grow(&app).await;
    app.stop().await;
    let verify = async |token: &str| {
        let mut command = on(&app, &["audit", "verify", "--witness", &place]);
        command.env("COUNTERSIGN_AUDIT_WITNESS_TOKEN", token);
        said(command).await
    };
    let (code, text) = verify(&operator).await;
    assert!(code == Some(0) && text.contains("2 heads that witnesses saw"), "{text}");
    assert_eq!(verify("cst_nonsense").await.0, Some(2));
    cut_off(&app, early).await;
    let (code, text) = verify(&operator).await;
    assert!(code == Some(1) && text.contains("saw entry"), "{text}");
    // Only what is signed is remembered, and two heads with one number are a fork.
    let own = Signer::new(&[9; 32]).expect("a key");
    let mutation = "mutation($input: WitnessAuditHeadInput!) { witnessAuditHead(input: $input) { fork userErrors { message path } } }";
    let tell = async |token: &str, hash: &str, change: &dyn Fn(&mut Value)| {
        let at = "2026-01-01T00:00:00Z".parse().expect("a time");
        let head = own.sign(app.workspace.id, 1000, hash, at);
        let mut input = json!({
            "workspace": head.workspace, "sequence": head.sequence, "hash": head.hash, "at": head.at,
            "publicKey": head.key, "signature": head.signature,
        });
        change(&mut input);
        other.graphql(token, mutation, json!({ "input": input })).await
    };
    let answer = tell(&operator, "aa", &|_| {}).await;
    assert_eq!(answer["data"]["witnessAuditHead"], json!({"fork": false, "userErrors": []}));
    let answer = tell(&operator, "bb", &|_| {}).await;
    assert_eq!(answer["data"]["witnessAuditHead"]["fork"], true);
    let answer = tell(&operator, "cc", &|input| input["sequence"] = 1001.into()).await;
    assert_eq!(answer["data"]["witnessAuditHead"]["userErrors"][0]["path"], json!(["input", "signature"]), "{answer}");
    let viewer = other.token(Role::Viewer).await;
    let answer = tell(&viewer, "dd", &|_| {}).await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "FORBIDDEN", "{answer}");
}

/// As much of S3 as a witness needs.
type Objects = Arc<Mutex<BTreeMap<String, String>>>;

async fn bucket() -> (Objects, String) {
    let objects = Objects::default();
    let list = |State(objects): State<Objects>, Query(query): Query<BTreeMap<String, String>>| async move {
        let prefix = query.get("prefix").cloned().unwrap_or_default();
        let objects = objects.lock().expect("not poisoned");
        let found = objects.iter().filter(|(key, _)| key.starts_with(&prefix)).map(|(key, body)| {
            format!(
                "<Contents><Key>{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>\
                 <Size>{}</Size><ETag>\"x\"</ETag></Contents>",
                body.len()
            )
        });
        format!("<ListBucketResult><IsTruncated>false</IsTruncated>{}</ListBucketResult>", found.collect::<String>())
    };
    let read = |State(objects): State<Objects>, Path(key): Path<String>| async move {
        let found = objects.lock().expect("not poisoned").get(&key).cloned().unwrap_or_default();
        ([("etag", "\"x\""), ("last-modified", "Thu, 01 Jan 2026 00:00:00 GMT")], found)
    };
    let write = |State(objects): State<Objects>, Path(key): Path<String>, body: String| async move {
        objects.lock().expect("not poisoned").insert(key, body);
        [("etag", "\"x\"")]
    };
    let router = Router::new()
        .route("/bucket", get(list))
        .route("/bucket/", get(list))
        .route("/bucket/{*key}", put(write).get(read))
        .with_state(objects.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (objects, endpoint)
}

#[tokio::test]
async fn a_bucket_is_a_witness() {
    let (objects, endpoint) = bucket().await;
    let mut app = TestApp::start_with(Database::Sqlite, |settings| {
        settings.audit_witness = "s3://bucket/some/place".parse().expect("a place");
        settings.s3_endpoint = Some(endpoint.parse().expect("a URL"));
        settings.s3_access_key_id = Some("AKIATEST".to_owned());
        settings.s3_secret_access_key = Some("secret".into());
    })
    .await;
    grow(&app).await;
    let early = sound(&lines(&app).await).signed;
    grow(&app).await;
    app.stop().await;
    let names: Vec<PathBuf> = objects.lock().expect("not poisoned").keys().map(PathBuf::from).collect();
    assert!(names.len() == 2 && names.iter().all(|name| name.starts_with("some/place/")), "{names:?}");
    let verify = async || {
        let mut command = on(&app, &["audit", "verify", "--witness", "s3://bucket/some/place"]);
        command.env("COUNTERSIGN_S3_ENDPOINT", &endpoint);
        command.env("COUNTERSIGN_S3_ACCESS_KEY_ID", "AKIATEST").env("COUNTERSIGN_S3_SECRET_ACCESS_KEY", "secret");
        said(command).await
    };
    let (code, text) = verify().await;
    assert!(code == Some(0) && text.contains("2 heads that witnesses saw"), "{text}");
    cut_off(&app, early).await;
    let (code, text) = verify().await;
    assert!(code == Some(1) && text.contains("saw entry"), "{text}");
}
