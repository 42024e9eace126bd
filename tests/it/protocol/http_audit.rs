//! The specification's own audits.

use crate::support::{Database, Node, TestApp, text};

/// As many as `graphql-http` has. A new version with more of them must not lose any on the way.
const AUDITS: usize = 61;

#[tokio::test]
async fn every_audit_of_graphql_over_http_passes() {
    let app = TestApp::start(Database::Sqlite).await;
    let mut audits = Node::start("http-audit.mjs", &[&app.url("/graphql")]);
    let mut count = 0;
    let mut failed = Vec::new();
    while let Some(audit) = audits.line().await {
        count += 1;
        if text(&audit, "/status") != "ok" {
            failed.push(audit.to_string());
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_eq!(count, AUDITS);
}
