//! The pages that come with the server. They must be built first, as `make test` does.

use regex::Regex;
use reqwest::{StatusCode, header};
use rstest::rstest;

use crate::support::{Database, TestApp};

#[rstest]
#[case("/graphiql")]
#[case("/sign-in")]
#[case("/")]
#[tokio::test]
async fn a_page_comes_with_everything_it_needs_and_nothing_from_elsewhere(#[case] path: &str) {
    let app = TestApp::start(Database::Sqlite).await;
    let response = app.http.get(app.url(path)).send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK, "build the pages: run the tests with `make test`");
    assert_eq!(response.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8");
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-cache");
    let policy = response.headers()[header::CONTENT_SECURITY_POLICY].to_str().expect("text").to_owned();
    for rule in ["default-src 'self'", "script-src 'self';", "frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(policy.contains(rule), "{policy}");
    }
    let html = response.text().await.expect("a body");
    let inline = Regex::new(r"<script(?:\s[^>]*)?>\s*[^<\s]").expect("an expression");
    assert!(!inline.is_match(&html), "the policy would stop an inline script: {html}");

    let address = Regex::new(r#"(?:src|href)="([^"]+)""#).expect("an expression");
    let addresses: Vec<&str> = address.captures_iter(&html).filter_map(|found| Some(found.get(1)?.as_str())).collect();
    assert!(!addresses.is_empty());
    for address in addresses {
        assert!(address.starts_with("/assets/"), "{address} is not ours");
        check_asset(&app, address).await;
    }
}

async fn check_asset(app: &TestApp, path: &str) {
    let response = app.http.get(app.url(path)).send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    let headers = response.headers();
    assert_eq!(headers[header::CACHE_CONTROL], "public, max-age=31536000, immutable", "{path}");
    assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff", "{path}");
    let expected = match path.rsplit('.').next() {
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("ttf") => "font/ttf",
        Some("woff2") => "font/woff2",
        other => panic!("an asset of a new kind: {other:?}"),
    };
    assert_eq!(headers[header::CONTENT_TYPE], expected, "{path}");
}

#[tokio::test]
async fn every_asset_has_the_right_type() {
    let app = TestApp::start(Database::Sqlite).await;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/frontend/dist/assets");
    let files = std::fs::read_dir(folder).expect("built pages: run the tests with `make test`");
    for file in files {
        let name = file.expect("a file").file_name().into_string().expect("text");
        check_asset(&app, &format!("/assets/{name}")).await;
    }
}

#[tokio::test]
async fn pages_and_assets_are_compressed_for_those_who_want_it() {
    let app = TestApp::start(Database::Sqlite).await;
    let page = app.http.get(app.url("/sign-in")).send().await.expect("an answer").text().await.expect("a body");
    let script =
        Regex::new(r#"src="([^"]+)""#).expect("an expression").captures(&page).expect("a script")[1].to_owned();
    let plain = app.http.get(app.url(&script)).send().await.expect("an answer");
    assert_eq!(plain.headers().get(header::CONTENT_ENCODING), None);
    let plain = plain.bytes().await.expect("a body").len();
    let request = app.http.get(app.url(&script)).header(header::ACCEPT_ENCODING, "gzip, br");
    let small = request.send().await.expect("an answer");
    assert_eq!(small.headers()[header::CONTENT_ENCODING], "gzip");
    assert!(small.bytes().await.expect("a body").len() < plain / 2);
}

#[tokio::test]
async fn browsers_get_the_console_wherever_they_go_and_programs_a_plain_404() {
    let app = TestApp::start(Database::Sqlite).await;
    for path in ["/inbox", "/executions/exec_01h455vb4pex5vsknk084sn02q", "/settings/tokens", "/nowhere"] {
        let response = app.http.get(app.url(path)).header(header::ACCEPT, "text/html, */*;q=0.8").send().await;
        let response = response.expect("an answer");
        assert_eq!(response.status(), StatusCode::OK, "{path}");
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/html; charset=utf-8", "{path}");
        assert!(response.headers().contains_key(header::CONTENT_SECURITY_POLICY), "{path}");
    }
    for path in ["/nowhere", "/inbox", "/assets/nothing.js", "/graphiql/x"] {
        assert_eq!(
            app.http.get(app.url(path)).send().await.expect("an answer").status(),
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    let script = app.http.get(app.url("/assets/nothing.js")).header(header::ACCEPT, "text/html").send().await;
    assert_eq!(script.expect("an answer").status(), StatusCode::NOT_FOUND);
    let licenses = app.http.get(app.url("/licenses")).send().await.expect("an answer");
    assert_eq!(licenses.headers()[header::CONTENT_TYPE], "text/plain; charset=utf-8");
    assert!(licenses.text().await.expect("a body").contains("MIT"));
}
