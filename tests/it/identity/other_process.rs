//! Changes that another process makes, such as the command line on the same database.

use countersign::{
    domain::role::Role,
    engine::{Origin, commands::ChangeUserRoles},
};
use rstest::rstest;

use super::{
    newest,
    sessions::works,
    watcher::{Transport, Watcher},
};
use crate::support::{Database, TestApp};

#[rstest]
#[tokio::test]
async fn somebody_disabled_by_another_process_is_out(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(Transport::Socket, Transport::EventStream)] transport: Transport,
) {
    let app = TestApp::start(database).await;
    let root = app.person("root@example.com", &[Role::Admin]).await;
    let eve = app.person("eve@example.com", &[Role::Admin]).await;
    let after = newest(&app, &root.access_token).await;
    let mut roots = Watcher::open(Transport::Socket, &app, &root.access_token, after.clone()).await;
    let mut eves = Watcher::open(transport, &app, &eve.access_token, after).await;

    let other = app.another_process().await;
    other.disable_user(app.scope(), eve.id.parse().expect("an id"), &Origin::default()).await.expect("disabled");
    assert!(!works(&app, &eve.access_token).await, "a new request finds out by itself");
    assert_eq!(eves.until_over().await, []);
    assert_eq!(roots.next().await.action, "SIGNED_OUT");
    assert_eq!(roots.next().await.action, "USER_DISABLED");
}

#[rstest]
#[tokio::test]
async fn a_token_revoked_by_another_process_is_worth_nothing(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let token = app.token(Role::Admin).await;
    let after = newest(&app, &token).await;
    let mut watcher = Watcher::open(Transport::Socket, &app, &token, after).await;
    let other = app.another_process().await;
    let id = app.token_id(&token).await.parse().expect("an id");
    other.revoke_api_token(app.scope(), id, &Origin::default()).await.expect("revoked");
    assert!(!works(&app, &token).await);
    assert_eq!(watcher.until_over().await, []);
}

#[rstest]
#[tokio::test]
async fn roles_changed_by_another_process_end_connections(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    app.person("root@example.com", &[Role::Admin]).await;
    let eve = app.person("eve@example.com", &[Role::Admin]).await;
    let after = newest(&app, &eve.access_token).await;
    let mut watcher = Watcher::open(Transport::Socket, &app, &eve.access_token, after).await;
    let other = app.another_process().await;
    let command = ChangeUserRoles { user: eve.id.parse().expect("an id"), roles: Role::Viewer.into() };
    other.change_user_roles(app.scope(), command, &Origin::default()).await.expect("changed");
    assert_eq!(watcher.until_over().await, []);
    assert!(works(&app, &eve.access_token).await, "the account goes on with fewer rights");
}

#[rstest]
#[tokio::test]
async fn what_another_process_does_is_seen_live(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let root = app.token(Role::Admin).await;
    let after = newest(&app, &root).await;
    let mut watcher = Watcher::open(Transport::Socket, &app, &root, after).await;
    let other = app.another_process().await;
    for name in ["One", "Two"] {
        other.rename_workspace(app.scope(), name, &Origin::default()).await.expect("renamed");
        assert_eq!(watcher.next().await.action, "WORKSPACE_UPDATED");
    }
}

#[tokio::test]
async fn a_lost_connection_to_the_database_loses_no_change() {
    let app = TestApp::start(Database::Postgres).await;
    let token = app.token(Role::Admin).await;
    let id = app.token_id(&token).await.parse().expect("an id");
    let after = newest(&app, &token).await;
    let mut watcher = Watcher::open(Transport::Socket, &app, &token, after).await;
    let others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    app.database.execute(others).await;
    let other = app.another_process().await;
    other.revoke_api_token(app.scope(), id, &Origin::default()).await.expect("revoked");
    assert_eq!(watcher.until_over().await, []);
}
