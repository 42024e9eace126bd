//! The real binary, as an operator uses it.

use std::{path::Path, process::Output};

use countersign::{config::DatabaseUrl, domain::role::Role};
use rstest::rstest;
use serde_json::json;
use tempfile::TempDir;

use super::{
    newest, refusals,
    sessions::works,
    sign_in,
    watcher::{Transport, Watcher},
};
use crate::support::{Database, PASSWORD, TestApp, at, command};

/// Runs the binary to its end.
pub async fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder).args(arguments).output().await.expect("the binary runs")
}

/// What a command that succeeds prints.
#[track_caller]
pub fn printed(output: &Output) -> String {
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}{stderr}");
    assert_eq!(stderr, "");
    stdout.into_owned()
}

/// What a command that fails says.
#[track_caller]
fn failed(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A server, and an operator at the command line beside it on the same database.
struct Operator {
    app: TestApp,
    folder: TempDir,
}

impl Operator {
    async fn start(database: Database) -> Self {
        Self { app: TestApp::start(database).await, folder: tempfile::tempdir().expect("a folder") }
    }

    async fn run(&self, arguments: &[&str]) -> Output {
        let url = match &self.app.database.url {
            DatabaseUrl::Sqlite(path) => format!("sqlite://{path}"),
            DatabaseUrl::Postgres(url) => url.clone(),
        };
        let mut command = command(self.folder.path());
        command.env("COUNTERSIGN_DATABASE_URL", url).args(arguments).output().await.expect("the binary runs")
    }

    /// Redeems a link that was printed; gives the access token.
    async fn redeem(&self, link: &str) -> String {
        let token = link.trim_end().split_once("/sign-in#token=").expect("a sign-in link").1;
        let redeem = "mutation($token: String!) {
            start: redeemSignInLink(input: {token: $token}) { session { accessToken } } }";
        self.app.start_session(redeem, json!({"token": token})).await.0
    }
}

#[rstest]
#[tokio::test]
async fn token_create_prints_one_token_that_works(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let operator = Operator::start(database).await;
    let output = operator.run(&["token", "create", "--role", "admin", "--name", "x"]).await;
    let token = printed(&output).strip_suffix('\n').expect("one line").to_owned();
    assert!(token.starts_with("cst_") && !token.contains(char::is_whitespace), "{token:?}");
    let query = "{ viewer { displayName roles workspace { slug } apiToken { createdBy { id } expiresAt } } }";
    let answer = operator.app.graphql(&token, query, json!({})).await;
    assert_eq!(
        at(&answer, "/data/viewer"),
        &json!({"displayName": "x", "roles": ["ADMIN"], "workspace": {"slug": "default"},
            "apiToken": {"createdBy": null, "expiresAt": null}})
    );

    let arguments = ["token", "create", "--role", "viewer", "--role", "Author", "--name", "y", "--expires-in", "30d"];
    let limited = printed(&operator.run(&arguments).await);
    let answer = operator.app.graphql(limited.trim(), "{ viewer { roles expiresAt } }", json!({})).await;
    assert_eq!(at(&answer, "/data/viewer/roles"), &json!(["VIEWER", "AUTHOR"]));
    assert!(at(&answer, "/data/viewer/expiresAt").is_string());
}

#[rstest]
#[tokio::test]
async fn token_create_says_whose_it_is_and_how_far_it_reaches(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let operator = Operator::start(database).await;
    let app = &operator.app;
    let ada = app.person("ada@example.com", &[Role::Approver]).await;
    let shown = "{ viewer { roles apiToken { user { id } serviceAccount { name } rights
        restrictions { operationTypes queues agents { name } workflows { name } } } } }";
    let create = async |arguments: &[&str]| operator.run(&[&["token", "create", "--name"], arguments].concat()).await;
    let of = async |output: &Output| {
        let answer = app.graphql(printed(output).trim(), shown, json!({})).await;
        at(&answer, "/data/viewer/apiToken").clone()
    };
    let account =
        |name: &str| json!({"user": null, "serviceAccount": {"name": name}, "rights": [], "restrictions": null});
    assert_eq!(of(&create(&["nightly", "--role", "viewer"]).await).await, account("nightly"));
    let twice = create(&["nightly 2", "--role", "viewer", "--service-account", "nightly"]).await;
    assert_eq!(of(&twice).await, account("nightly"));
    let accounts = app.engine.store().active_service_account_names(app.scope()).await.expect("names");
    assert_eq!(accounts, ["nightly"]);
    let own = create(&["ada's", "--role", "approver", "--user", "ada@example.com"]).await;
    assert_eq!(at(&of(&own).await, "/user/id"), &json!(ada.id));
    let complaint = failed(&create(&["x", "--role", "admin", "--user", "ada@example.com"]).await);
    assert!(complaint.contains("`roles` has ADMIN, which the person does not have"), "{complaint}");
    let complaint = failed(&create(&["x", "--role", "viewer", "--user", "eve@example.com"]).await);
    assert!(complaint.contains("`eve@example.com` has no account"), "{complaint}");

    let arguments = ["worker", "--role", "operator", "--operation-type", "refund", "--queue", "a", "--queue", "b"];
    let limits = json!({"operationTypes": ["refund"], "queues": ["a", "b"], "agents": null, "workflows": null});
    assert_eq!(at(&of(&create(&arguments).await).await, "/restrictions"), &limits);
    let complaint = failed(&create(&["x", "--role", "operator", "--workflow", "Payouts", "--agent", "Payer"]).await);
    assert!(complaint.contains("there is no workflow named `Payouts`"), "{complaint}");
    assert!(complaint.contains("there is no agent named `Payer`"), "{complaint}");
    let complaint = failed(&create(&["x", "--role", "admin", "--queue", "a"]).await);
    assert!(complaint.contains("a restricted token cannot have the role ADMIN"), "{complaint}");
    let alarm = printed(&create(&["alarm", "--right", "emergency-stop"]).await);
    let stop = "mutation { setEmergencyStop(input: {stopped: true}) { userErrors { code } } }";
    let answer = app.graphql(alarm.trim(), stop, json!({})).await;
    assert_eq!(at(&answer, "/data/setEmergencyStop/userErrors"), &json!([]), "{answer}");
}

#[rstest]
#[tokio::test]
async fn token_revoke_ends_what_the_token_has_open(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let operator = Operator::start(database).await;
    let token = operator.app.token(Role::Admin).await;
    let id = operator.app.token_id(&token).await;
    let list = printed(&operator.run(&["token", "list"]).await);
    assert_eq!(list, format!("{id}  active    test ADMIN  service_account:test ADMIN\n"));
    let after = newest(&operator.app, &token).await;
    let mut watcher = Watcher::open(Transport::Socket, &operator.app, &token, after).await;
    printed(&operator.run(&["token", "revoke", &id]).await);
    assert_eq!(watcher.until_over().await, []);
    assert!(!works(&operator.app, &token).await);
    let list = printed(&operator.run(&["token", "list"]).await);
    assert_eq!(list, format!("{id}  revoked   test ADMIN  service_account:test ADMIN\n"));
    assert!(failed(&operator.run(&["token", "revoke", "nonsense"]).await).contains("`nonsense` is not an id"));
}

#[rstest]
#[tokio::test]
async fn user_invite_prints_a_link(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let operator = Operator::start(database).await;
    let invite = ["user", "invite", "--email", "ada@example.com"];
    let complaint = failed(&operator.run(&invite).await);
    assert!(complaint.contains("a new account needs at least one --role"), "{complaint}");
    let first = printed(&operator.run(&[&invite[..], &["--role", "approver", "--name", "Ada"]].concat()).await);
    // Somebody who has an account gets a new link, which takes the place of the first.
    let second = printed(&operator.run(&invite).await);
    assert_ne!(first, second);
    let token = operator.redeem(&second).await;
    let answer = operator.app.graphql(&token, "{ viewer { displayName roles } }", json!({})).await;
    assert_eq!(at(&answer, "/data/viewer"), &json!({"displayName": "Ada", "roles": ["APPROVER"]}));
    let complaint = failed(&operator.run(&["user", "invite", "--email", "ada", "--role", "viewer"]).await);
    assert!(complaint.contains("`ada` is not an e-mail address"), "{complaint}");
}

#[rstest]
#[tokio::test]
async fn user_disable_locks_somebody_out(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let operator = Operator::start(database).await;
    let app = &operator.app;
    let root = app.person("root@example.com", &[Role::Admin]).await;
    let ada = app.person("ada@example.com", &[Role::Viewer]).await;
    printed(&operator.run(&["user", "disable", "--email", "Ada@example.com"]).await);
    assert!(!works(app, &ada.access_token).await);
    assert_eq!(
        printed(&operator.run(&["user", "list"]).await),
        format!("{}  disabled  ada@example.com  ada\n{}  enabled   root@example.com  root\n", ada.id, root.id)
    );
    printed(&operator.run(&["user", "enable", "--email", "ada@example.com"]).await);
    assert_eq!(refusals(&sign_in(app, "ada@example.com", PASSWORD).await, "signIn"), [""; 0]);

    let complaint = failed(&operator.run(&["user", "disable", "--email", "root@example.com"]).await);
    assert!(complaint.contains("the workspace's last admin"), "{complaint}");
    let complaint = failed(&operator.run(&["user", "disable", "--email", "nobody@example.com"]).await);
    assert!(complaint.contains("`nobody@example.com` has no account"), "{complaint}");
}

#[rstest]
#[tokio::test]
async fn workspace_create_makes_a_tenant(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let operator = Operator::start(database).await;
    let create = ["workspace", "create", "--slug", "team-1", "--name", "Team One"];
    let line = printed(&operator.run(&create).await);
    assert!(line.starts_with("ws_") && line.ends_with("  team-1\n"), "{line}");
    assert!(printed(&operator.run(&["workspace", "list"]).await).contains("  team-1  Team One\n"));
    assert!(failed(&operator.run(&create).await).contains("there is a workspace `team-1` already"));
    let complaint = failed(&operator.run(&["workspace", "create", "--slug", "Team 1", "--name", "x"]).await);
    assert!(complaint.contains("`Team 1` is not a slug"), "{complaint}");

    let arguments = ["token", "create", "--role", "admin", "--name", "x", "--workspace"];
    let token = printed(&operator.run(&[&arguments[..], &["team-1"]].concat()).await);
    let answer = operator.app.graphql(token.trim(), "{ workspace { slug name } }", json!({})).await;
    assert_eq!(at(&answer, "/data/workspace"), &json!({"slug": "team-1", "name": "Team One"}));
    let complaint = failed(&operator.run(&[&arguments[..], &["team-2"]].concat()).await);
    assert!(complaint.contains("there is no workspace `team-2`: there is default, team-1"), "{complaint}");
}
