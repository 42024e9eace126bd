//! Files in a bucket, on a small server that speaks as much of S3 as is needed.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, Query, State},
    http::{HeaderMap, Method, StatusCode},
    response::{IntoResponse, Response},
    routing::any,
};
use chrono::Utc;
use countersign::{config::FileStorage, domain::role::Role, engine::janitor};
use futures_util::stream;
use rstest::rstest;
use serde_json::{Value, json};

use super::{Rig, noise};
use crate::support::{Database, TestApp, at, text};

#[derive(Clone, Default)]
struct Bucket(Arc<Mutex<Inner>>);

#[derive(Default)]
struct Inner {
    objects: HashMap<String, Vec<u8>>,
    /// What is being sent, part by part.
    uploads: HashMap<String, BTreeMap<usize, Vec<u8>>>,
    signed: usize,
    /// What nobody may delete.
    locked: Option<String>,
}

impl Bucket {
    fn names(&self) -> Vec<String> {
        self.0.lock().expect("not poisoned").objects.keys().cloned().collect()
    }

    fn unfinished(&self) -> usize {
        self.0.lock().expect("not poisoned").uploads.len()
    }
}

async fn handle(
    State(bucket): State<Bucket>,
    Path(key): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut inner = bucket.0.lock().expect("not poisoned");
    let signed = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !signed.starts_with("AWS4-HMAC-SHA256 Credential=AKIATEST/") {
        return StatusCode::FORBIDDEN.into_response();
    }
    inner.signed += 1;
    match (method, query.get("uploadId")) {
        (Method::POST, None) if query.contains_key("uploads") => {
            let id = format!("u{}", inner.signed);
            inner.uploads.insert(id.clone(), BTreeMap::new());
            format!("<InitiateMultipartUploadResult><UploadId>{id}</UploadId></InitiateMultipartUploadResult>")
                .into_response()
        }
        (Method::PUT, Some(id)) => {
            let number: usize = query["partNumber"].parse().expect("a number");
            // A part may still be on its way when its upload is given up.
            let Some(upload) = inner.uploads.get_mut(id) else { return StatusCode::NOT_FOUND.into_response() };
            upload.insert(number, body.to_vec());
            [("etag", format!("\"p{number}\""))].into_response()
        }
        (Method::POST, Some(id)) => {
            let parts = inner.uploads.remove(id).expect("an upload");
            let last = parts.len();
            assert!(
                parts.iter().all(|(number, part)| *number == last || part.len() >= 5 << 20),
                "S3 takes no smaller parts"
            );
            inner.objects.insert(key, parts.into_values().flatten().collect());
            "<CompleteMultipartUploadResult><ETag>\"x\"</ETag></CompleteMultipartUploadResult>".into_response()
        }
        (Method::DELETE, Some(id)) => {
            inner.uploads.remove(id);
            StatusCode::NO_CONTENT.into_response()
        }
        (Method::PUT, None) => {
            inner.objects.insert(key, body.to_vec());
            [("etag", "\"x\"")].into_response()
        }
        (Method::DELETE, None) if inner.locked.as_ref() == Some(&key) => StatusCode::FORBIDDEN.into_response(),
        (Method::DELETE, None) => {
            inner.objects.remove(&key);
            StatusCode::NO_CONTENT.into_response()
        }
        (Method::GET, None) => {
            let Some(object) = inner.objects.get(&key) else { return StatusCode::NOT_FOUND.into_response() };
            let range = headers.get("range").and_then(|value| value.to_str().ok()?.strip_prefix("bytes="));
            let (start, end) = range.and_then(|range| range.split_once('-')).expect("a range");
            let (start, end): (usize, usize) = (start.parse().expect("a number"), end.parse().expect("a number"));
            let modified = Utc::now().to_rfc2822().replace("+0000", "GMT");
            let described = [
                ("etag", "\"x\"".to_owned()),
                ("last-modified", modified),
                ("content-range", format!("bytes {start}-{end}/{}", object.len())),
            ];
            (StatusCode::PARTIAL_CONTENT, described, object[start..=end].to_vec()).into_response()
        }
        (other, _) => panic!("{other} is not needed"),
    }
}

async fn rig(database: Database) -> (Rig, Bucket) {
    let bucket = Bucket::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
    let router = Router::new().route("/bucket/{*key}", any(handle)).layer(axum::extract::DefaultBodyLimit::disable());
    let router = router.with_state(bucket.clone());
    tokio::spawn(async move { axum::serve(listener, router).await.expect("served") });
    let app = TestApp::start_with(database, move |settings| {
        settings.file_storage = Some(FileStorage::S3 { bucket: "bucket".to_owned(), prefix: "some/place".to_owned() });
        settings.s3_endpoint = Some(endpoint.parse().expect("a URL"));
        settings.s3_access_key_id = Some("AKIATEST".to_owned());
        settings.s3_secret_access_key = Some("secret".into());
    })
    .await;
    let token = app.token(Role::Operator).await;
    (Rig { app, token }, bucket)
}

#[rstest]
#[tokio::test]
async fn files_go_to_the_bucket_and_come_back(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let (rig, bucket) = rig(database).await;
    let content = noise(20 * 1024 * 1024 + 3);
    let id = rig.upload("large.bin", content.clone()).await;
    assert_eq!(rig.content(&id).await, content);
    assert!(matches!(bucket.names().as_slice(), [one] if one.starts_with("some/place/")), "{:?}", bucket.names());
    assert_eq!(rig.files().len(), 0, "nothing is kept here");
    let part = rig.app.http.get(rig.app.url(&format!("/deliverables/{id}/content"))).bearer_auth(&rig.token);
    let part = part.header("range", "bytes=9000000-9000009").send().await.expect("an answer");
    assert_eq!(part.bytes().await.expect("a body"), content[9_000_000..9_000_010]);
    let text_id = rig.upload("long.txt", "some line\n".repeat(200_000).into_bytes()).await;
    let query = "query($id: ID!) { deliverable(id: $id) { version { preview { text truncated } } } }";
    let shown = rig.graphql(query, json!({"id": text_id})).await;
    assert_eq!(text(&shown, "/data/deliverable/version/preview/text").len(), 65_536);
    // What broke off, or was wrong, is not there.
    let upload = rig.begin(json!({"name": "x", "content": {"upload": {}}})).await;
    let pieces = (0..12).map(|n| if n < 11 { Ok(vec![n; 1 << 20]) } else { Err(std::io::Error::other("broken")) });
    let broken = rig.app.http.put(text(&upload, "/url")).bearer_auth(text(&upload, "/token"));
    assert!(broken.body(reqwest::Body::wrap_stream(stream::iter(pieces))).send().await.is_err());
    let upload = json!({"name": "y", "content": {"upload": {"sha256": "0".repeat(64)}}});
    let wrong = rig.begin(upload).await;
    assert_eq!(rig.put(&wrong, content).await.status(), 400);
    let look = async {
        while bucket.unfinished() > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(crate::support::PATIENCE, look).await.expect("uploads are given up");
    assert_eq!(bucket.names().len(), 2);
    // Retention empties the bucket.
    let admin = rig.app.token(Role::Admin).await;
    let set = "mutation { setDeliverableRetention(input: {days: 1}) { userErrors { message } } }";
    rig.app.graphql(&admin, set, json!({})).await;
    for id in [&id, &text_id] {
        rig.change("archiveDeliverable", json!({"deliverableId": id})).await;
    }
    rig.app.clock.advance(chrono::Duration::days(2));
    let locked = bucket.names().remove(0);
    bucket.0.lock().expect("not poisoned").locked = Some(locked.clone());
    janitor::clean_up(&rig.app.engine).await.expect("cleaned");
    assert_eq!(bucket.names(), [locked], "one that cannot be deleted does not keep the others");
    bucket.0.lock().expect("not poisoned").locked = None;
    rig.app.clock.advance(chrono::Duration::hours(1));
    janitor::clean_up(&rig.app.engine).await.expect("cleaned");
    assert_eq!(bucket.names(), [""; 0]);
    assert_eq!(at(&rig.find(&id).await, "/version/storage"), &Value::from("FILE"));
}
