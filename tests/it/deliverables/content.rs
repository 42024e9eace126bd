//! Content on its way out: parts, types, names, links.

use countersign::domain::role::Role;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use rstest::rstest;
use serde_json::{Value, json};

use super::{Rig, noise, sha256};
use crate::support::{Database, at, text};

fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let pair = |(name, value): &(&'static str, &str)| {
        (HeaderName::from_static(name), HeaderValue::from_str(value).expect("a value"))
    };
    pairs.iter().map(pair).collect()
}

#[rstest]
#[tokio::test]
async fn parts_are_given_and_what_is_known_is_not(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let small = b"0123456789".to_vec();
    let large = noise(9 * 1024 * 1024);
    for content in [small, large] {
        let id = rig.upload("x.bin", content.clone()).await;
        let path = format!("/deliverables/{id}/content");
        let (size, etag) = (content.len(), format!("\"{}\"", sha256(&content)));
        let whole = rig.get(&path).await;
        assert_eq!(whole.headers()["etag"], etag);
        assert_eq!(whole.headers()["accept-ranges"], "bytes");
        assert_eq!(whole.headers()["content-length"], size.to_string());
        for (range, start, end) in [
            ("bytes=2-5".to_owned(), 2, 6),
            ("bytes=-3".to_owned(), size - 3, size),
            (format!("bytes={}-", size - 1), size - 1, size),
        ] {
            let part = rig.get_with(&path, headers(&[("range", &range)])).await;
            assert_eq!(part.status(), 206, "{range}");
            assert_eq!(part.headers()["content-range"], format!("bytes {start}-{}/{size}", end - 1));
            assert_eq!(part.bytes().await.expect("a body"), content[start..end]);
        }
        let beyond = rig.get_with(&path, headers(&[("range", &format!("bytes={size}-"))])).await;
        assert_eq!(beyond.status(), 416);
        assert_eq!(beyond.headers()["content-range"], format!("bytes */{size}"));
        let other = rig.get_with(&path, headers(&[("range", "bytes=0-1"), ("if-range", "\"other\"")])).await;
        assert_eq!(other.status(), 200, "a part of other content is of no use");
        let same = rig.get_with(&path, headers(&[("range", "bytes=0-1"), ("if-range", &etag)])).await;
        assert_eq!(same.status(), 206);
        let known = rig.get_with(&path, headers(&[("if-none-match", &etag)])).await;
        assert_eq!((known.status().as_u16(), known.headers()["etag"].to_str().expect("text")), (304, etag.as_str()));
        let head = rig.app.http.head(rig.app.url(&path)).bearer_auth(&rig.token).send().await.expect("an answer");
        assert_eq!(
            (head.status().as_u16(), head.headers()["content-length"].to_str().expect("text")),
            (200, size.to_string().as_str())
        );
    }
}

#[rstest]
#[tokio::test]
async fn nothing_in_it_can_run_in_our_name(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    for (content, mime_type) in [
        ("<!doctype html><script>alert(1)</script>", "text/html; charset=utf-8"),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>", "image/svg+xml"),
    ] {
        let made = rig.text("page", content).await;
        assert_eq!(made["version"]["mimeType"], mime_type);
        let path = format!("/deliverables/{}/content", text(&made, "/id"));
        for (path, disposition) in [(path.clone(), "attachment;"), (format!("{path}?preview=true"), "inline;")] {
            let response = rig.get(&path).await;
            let header = |name: &str| response.headers()[name].to_str().expect("text").to_owned();
            assert_eq!(header("content-type"), mime_type);
            assert!(header("content-disposition").starts_with(disposition), "{}", header("content-disposition"));
            assert!(header("content-security-policy").starts_with("sandbox; default-src 'none'"));
            assert_eq!(header("x-content-type-options"), "nosniff");
            assert_eq!(header("cross-origin-resource-policy"), "same-origin");
        }
    }
    let script = json!({"name": "x.js", "mimeType": "text/javascript", "content": {"text": "alert(1)"}});
    let script = rig.change("createDeliverable", script).await;
    let response = rig.get(&format!("/deliverables/{}/content?preview=true", text(&script, "/id"))).await;
    assert_eq!(response.headers()["content-type"], "text/plain; charset=utf-8", "no page can load it as a program");
    let named = rig.text("a\"; x=\u{2603}é %41.txt", "x").await;
    let response = rig.get(&format!("/deliverables/{}/content", text(&named, "/id"))).await;
    assert_eq!(
        response.headers()["content-disposition"],
        "attachment; filename=\"a_; x=__ _41.txt\"; filename*=UTF-8''a%22%3B%20x%3D%E2%98%83%C3%A9%20%2541.txt"
    );
}

#[rstest]
#[tokio::test]
async fn what_is_elsewhere_is_led_to(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let external = json!({"url": "https://example.com/pull/7", "metadata": {"number": 7, "big": 12345678901234567890123_u128 as f64}});
    let made = rig
        .change("createDeliverable", json!({"name": "PR 7", "type": "CODE", "content": {"external": external}}))
        .await;
    assert_eq!((&made["version"]["storage"], &made["version"]["size"]), (&json!("EXTERNAL"), &Value::Null));
    assert_eq!(made["version"]["metadata"]["number"], 7);
    let response = rig.get(&format!("/deliverables/{}/content", text(&made, "/id"))).await;
    assert_eq!(
        (response.status().as_u16(), response.headers()["location"].to_str().expect("text")),
        (302, "https://example.com/pull/7")
    );
    for url in ["javascript:alert(1)", "file:///etc/passwd", "https://u:p@example.com/", "//example.com"] {
        let input = json!({"name": "x", "content": {"external": {"url": url}}});
        let (code, message, path) = rig.refused("createDeliverable", input).await;
        assert_eq!((code.as_str(), path.as_str()), ("INVALID", "input.url"), "{message}");
    }
}

#[rstest]
#[tokio::test]
async fn links_work_for_a_while_and_for_one_version(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rig = Rig::new(database).await;
    let made = rig.text("a.txt", "one").await;
    let id = text(&made, "/id");
    rig.change("addDeliverableVersion", json!({"deliverableId": id, "content": {"text": "two"}})).await;
    let query = "query($id: ID!) { deliverable(id: $id) { version(number: 1) { contentUrl(expiresInSeconds: 60) }
        execution { deliverablesZipUrl } } }";
    let answer = rig.graphql(query, json!({"id": id})).await;
    let link = text(&answer, "/data/deliverable/version/contentUrl").to_owned();
    let zip = text(&answer, "/data/deliverable/execution/deliverablesZipUrl").to_owned();
    let get = async |url: &str| rig.app.http.get(url).send().await.expect("an answer");
    assert_eq!(get(&link).await.text().await.expect("a body"), "one");
    assert_eq!(get(&zip).await.status(), 200);
    assert_eq!(get(&link.replace("version=1", "version=2")).await.status(), 401, "another version");
    let token = link.split("token=").nth(1).expect("a token");
    assert_eq!(
        get(&zip.replace(zip.split("token=").nth(1).expect("a token"), token)).await.status(),
        401,
        "another thing"
    );
    let other = rig.text("b.txt", "other").await;
    assert_eq!(get(&link.replace(id, text(&other, "/id"))).await.status(), 401, "another deliverable");
    let anonymous = get(&rig.app.url(&format!("/deliverables/{id}/content"))).await;
    assert_eq!(
        (anonymous.status().as_u16(), anonymous.headers()["www-authenticate"].to_str().expect("text")),
        (401, "Bearer")
    );
    rig.app.clock.advance(chrono::Duration::seconds(61));
    let late = get(&link).await;
    assert_eq!(late.status(), 401);
    let late: Value = late.json().await.expect("JSON");
    assert_eq!(at(&late, "/errors/0/extensions/code"), "UNAUTHENTICATED");
    let refused = "query($id: ID!) { deliverable(id: $id) { version { contentUrl(expiresInSeconds: 3601) } } }";
    assert!(text(&rig.graphql(refused, json!({"id": id})).await, "/errors/0/message").contains("3600"));
    // Whoever was revoked makes no new ones, and reads nothing with the old token.
    let admin = rig.app.token(Role::Admin).await;
    let revoke = "mutation($id: ID!) { revokeApiToken(input: {apiTokenId: $id}) { userErrors { message } } }";
    rig.app.graphql(&admin, revoke, json!({"id": rig.app.token_id(&rig.token).await})).await;
    assert_eq!(rig.app.post(Some(&rig.token), query, json!({"id": id})).await.status(), 401);
    assert_eq!(rig.get(&format!("/deliverables/{id}/content")).await.status(), 401);
}

#[rstest]
#[tokio::test]
async fn previews_show_the_first_part(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let rig = Rig::new(database).await;
    let query =
        "query($id: ID!) { deliverable(id: $id) { version { preview { kind text rows { cells } truncated } } } }";
    let preview =
        async |id: &str| at(&rig.graphql(query, json!({"id": id})).await, "/data/deliverable/version/preview").clone();
    for (content, kind) in [
        ("# T\n\n- x\n- y\n", "MARKDOWN"),
        ("{\"a\": 1}", "JSON"),
        ("just text", "TEXT"),
        ("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n", "DIFF"),
        ("<!doctype html><p>", "CODE"),
    ] {
        let made = rig.text("x", content).await;
        let shown = preview(text(&made, "/id")).await;
        assert_eq!(shown, json!({"kind": kind, "text": content, "rows": null, "truncated": false}));
    }
    let table = rig.text("t.csv", "name,amount\n\"A, B\",1\n").await;
    let shown = preview(text(&table, "/id")).await;
    assert_eq!(
        shown,
        json!({"kind": "TABLE", "text": null, "rows": [{"cells": ["name", "amount"]}, {"cells": ["A, B", "1"]}], "truncated": false})
    );
    let code = json!({"name": "x.py", "type": "CODE", "content": {"text": "print(1)"}});
    assert_eq!(preview(text(&rig.change("createDeliverable", code).await, "/id")).await["kind"], "CODE");
    // Of something large, in a file, no more than its beginning is read.
    let long = "a line and more of it\n".repeat(100_000);
    let id = rig.upload("long.txt", long.clone().into_bytes()).await;
    let shown = preview(&id).await;
    assert_eq!((&shown["kind"], &shown["truncated"]), (&json!("TEXT"), &json!(true)));
    assert_eq!(text(&shown, "/text"), &long[..65_536]);
    let binary = rig.upload("x.bin", noise(100)).await;
    assert_eq!(preview(&binary).await, json!({"kind": "NONE", "text": null, "rows": null, "truncated": false}));
    let png = rig.upload("x", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()).await;
    assert_eq!(preview(&png).await["kind"], "IMAGE");
    assert_eq!(rig.find(&png).await["type"], "MEDIA");
}
