//! What people see, in a real Chromium.

use std::path::Path;

use countersign::{
    domain::role::{Role, Roles},
    engine::{Origin, commands::InviteUser},
};
use secrecy::ExposeSecret;
use tokio::process::Command;

use crate::support::{Database, TestApp};

#[tokio::test]
async fn a_link_leads_to_a_signed_in_explorer_with_live_subscriptions() {
    let app = TestApp::start(Database::Sqlite).await;
    let command = InviteUser {
        email: "ada@example.com".to_owned(),
        display_name: None,
        roles: Roles::from(Role::Admin),
        idempotency_key: None,
    };
    let invited = app.engine.invite_user(app.scope(), command, &Origin::default()).await.expect("an invitation");
    let link = app.engine.sign_in_url(invited.link.expect("a link").expose_secret());
    run("explorer.mjs", &[&link, &app.token(Role::Admin).await]).await;
}

/// Runs a script of `tests/browser`, and shows what it said if it fails.
async fn run(script: &str, arguments: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    assert!(folder.join("node_modules").exists(), "tests/browser is not installed: run the tests with `make test`");
    let chromium = std::env::var("COUNTERSIGN_TEST_CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned());
    let output = Command::new("node")
        .arg(folder.join(script))
        .args(arguments)
        .env("COUNTERSIGN_TEST_CHROMIUM", chromium)
        .output()
        .await
        .expect("node runs");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{script} failed:\n{stdout}\n{stderr}");
}
