//! What ends with somebody's access: open sockets and event streams, at once, with no event after the change.

use chrono::Duration;
use countersign::{
    domain::{access::Scope, role::Role},
    engine::{
        Origin,
        commands::{CreateApiToken, CreateGroup, CreateWorkspace},
    },
};
use rstest::rstest;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{
    error_code, newest,
    sessions::{refresh, works},
    sign_in,
    watcher::{Transport, Watcher},
};
use crate::support::{Database, PASSWORD, Person, Socket, TestApp, at, text};

/// What takes somebody's access away.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Change {
    SignOut,
    SignOutEverywhere,
    PasswordElsewhere,
    StolenRefreshToken,
    Disable,
    Roles,
    Revoke,
    /// Of a token: the person that it belongs to.
    OwnerDisabled,
    /// Of a token: the service account that it belongs to.
    ServiceAccountDisabled,
}

impl Change {
    /// The first entry of the audit log that tells of it.
    fn action(self) -> &'static str {
        match self {
            Change::SignOut | Change::SignOutEverywhere | Change::PasswordElsewhere | Change::Disable => "SIGNED_OUT",
            Change::StolenRefreshToken => "REFRESH_TOKEN_REUSED",
            Change::Roles => "USER_ROLES_CHANGED",
            Change::Revoke => "API_TOKEN_REVOKED",
            Change::OwnerDisabled => "USER_DISABLED",
            Change::ServiceAccountDisabled => "SERVICE_ACCOUNT_DISABLED",
        }
    }

    async fn happen(self, app: &TestApp, root: &str, eve: &Person) {
        let (token, mutation) = match self {
            Change::SignOut => (eve.access_token.clone(), "signOut(input: {})".to_owned()),
            Change::SignOutEverywhere => (eve.access_token.clone(), "signOut(input: {everywhere: true})".to_owned()),
            Change::PasswordElsewhere => {
                let answer = sign_in(app, &eve.email, PASSWORD).await;
                let input = format!("{{currentPassword: \"{PASSWORD}\", newPassword: \"another horse battery\"}}");
                let token = text(&answer, "/data/signIn/session/accessToken").to_owned();
                (token, format!("changePassword(input: {input})"))
            }
            Change::StolenRefreshToken => {
                let (answer, _) = refresh(app, &eve.cookie).await;
                assert!(works(app, text(&answer, "/data/refreshSession/session/accessToken")).await);
                app.clock.advance(Duration::minutes(1));
                refresh(app, &eve.cookie).await;
                return;
            }
            Change::Disable | Change::OwnerDisabled => {
                (root.to_owned(), format!("disableUser(input: {{userId: \"{}\"}})", eve.id))
            }
            Change::Roles => {
                (root.to_owned(), format!("changeUserRoles(input: {{userId: \"{}\", roles: [VIEWER]}})", eve.id))
            }
            Change::ServiceAccountDisabled => {
                (root.to_owned(), format!("disableServiceAccount(input: {{serviceAccountId: \"{}\"}})", eve.id))
            }
            Change::Revoke => (root.to_owned(), format!("revokeApiToken(input: {{apiTokenId: \"{}\"}})", eve.id)),
        };
        let answer =
            app.graphql(&token, &format!("mutation {{ it: {mutation} {{ userErrors {{ code }} }} }}"), json!({})).await;
        assert_eq!(at(&answer, "/data/it/userErrors"), &json!([]));
    }
}

/// Somebody who may read the audit log, with the credential that the change is about.
async fn eve(app: &TestApp, change: Change) -> Person {
    if change == Change::ServiceAccountDisabled {
        let command = CreateApiToken { name: "eve".to_owned(), roles: Role::Admin.into(), ..CreateApiToken::default() };
        let access_token = app.make_token(app.scope(), command).await;
        let query = "{ viewer { apiToken { serviceAccount { id } } } }";
        let answer = app.graphql(&access_token, query, json!({})).await;
        let id = text(&answer, "/data/viewer/apiToken/serviceAccount/id").to_owned();
        return Person { id, email: String::new(), access_token, cookie: String::new() };
    }
    if change == Change::OwnerDisabled {
        app.person("ada@example.com", &[Role::Admin]).await;
        let eve = app.person("eve@example.com", &[Role::Admin]).await;
        let scope = Scope::as_user(app.workspace.id, eve.id.parse().expect("an id"));
        return Person { access_token: app.token_in(scope, Role::Admin).await, ..eve };
    }
    if change != Change::Revoke {
        // Not the last admin, who could be neither demoted nor disabled.
        app.person("ada@example.com", &[Role::Admin]).await;
        return app.person("eve@example.com", &[Role::Admin]).await;
    }
    let access_token = app.token(Role::Admin).await;
    let id = app.token_id(&access_token).await;
    Person { id, email: String::new(), access_token, cookie: String::new() }
}

/// Keeps the audit log busy until it is told to stop.
async fn keep_busy(app: &TestApp, stop: &CancellationToken) {
    let mut number = 0;
    while !stop.is_cancelled() {
        create_group(app, &format!("Group {number}")).await;
        number += 1;
    }
}

async fn create_group(app: &TestApp, name: &str) {
    let command =
        CreateGroup { name: name.to_owned(), description: String::new(), members: Vec::new(), idempotency_key: None };
    app.engine.create_group(app.scope(), command, &Origin::default()).await.expect("a group");
}

#[rstest]
#[tokio::test]
async fn nothing_is_seen_after_access_has_ended(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
    #[values(Transport::Socket, Transport::EventStream)] transport: Transport,
    #[values(
        Change::SignOut,
        Change::SignOutEverywhere,
        Change::PasswordElsewhere,
        Change::StolenRefreshToken,
        Change::Disable,
        Change::Roles,
        Change::Revoke,
        Change::OwnerDisabled,
        Change::ServiceAccountDisabled
    )]
    change: Change,
) {
    let app = TestApp::start(database).await;
    let root = app.token(Role::Admin).await;
    let eve = eve(&app, change).await;
    let after = newest(&app, &root).await;
    let mut roots = Watcher::open(Transport::Socket, &app, &root, after.clone()).await;
    let mut eves = Watcher::open(transport, &app, &eve.access_token, after).await;

    let stop = CancellationToken::new();
    let watch = async {
        let mut eve_saw = vec![eves.next().await, eves.next().await];
        change.happen(&app, &root, &eve).await;
        eve_saw.extend(eves.until_over().await);
        let mut root_saw = vec![roots.next().await];
        while root_saw.last().is_some_and(|seen| seen.action != change.action()) {
            root_saw.push(roots.next().await);
        }
        // The log goes on for those who may read it.
        while roots.next().await.action != "GROUP_CREATED" {}
        stop.cancel();
        (eve_saw, root_saw)
    };
    let ((eve_saw, root_saw), ()) = tokio::join!(watch, keep_busy(&app, &stop));
    let before = &root_saw[..root_saw.len() - 1];
    assert!(eve_saw.len() <= before.len(), "{:?} came after {:?}", eve_saw.last(), root_saw.last());
    assert_eq!(eve_saw, before[..eve_saw.len()], "nothing was left out before");

    let mut again = Socket::connect(&app).await;
    again
        .send(json!({"type": "connection_init", "payload": {"Authorization": format!("Bearer {}", eve.access_token)}}))
        .await;
    if change == Change::Roles {
        // The account goes on with the rights that it has now.
        assert_eq!(again.next().await, json!({"type": "connection_ack"}));
        again.subscribe("1", "subscription { auditEvents { cursor } }", json!({})).await;
        let refused = again.next().await;
        assert_eq!(error_code(&json!({"errors": refused["payload"]})), "FORBIDDEN");
    } else {
        assert_eq!(again.closed().await.0, 4403);
    }
}

#[tokio::test]
async fn other_connections_stay_open() {
    let app = TestApp::start(Database::Sqlite).await;
    let eve = app.person("eve@example.com", &[Role::Admin]).await;
    let answer = sign_in(&app, "eve@example.com", PASSWORD).await;
    let elsewhere = text(&answer, "/data/signIn/session/accessToken");
    let bob = app.person("bob@example.com", &[Role::Admin]).await;
    let after = newest(&app, elsewhere).await;
    let mut others = [
        Watcher::open(Transport::Socket, &app, elsewhere, after.clone()).await,
        Watcher::open(Transport::EventStream, &app, elsewhere, after.clone()).await,
        Watcher::open(Transport::Socket, &app, &bob.access_token, after).await,
    ];
    Change::SignOut.happen(&app, "", &eve).await;
    create_group(&app, "Finance").await;
    for other in &mut others {
        assert_eq!(other.next().await.action, "SIGNED_OUT");
        assert_eq!(other.next().await.action, "GROUP_CREATED");
    }
}

#[tokio::test]
async fn what_happens_in_another_workspace_is_not_seen() {
    let app = TestApp::start(Database::Sqlite).await;
    let root = app.token(Role::Admin).await;
    let after = newest(&app, &root).await;
    let mut watcher = Watcher::open(Transport::Socket, &app, &root, after).await;
    let command = CreateWorkspace { slug: "other".to_owned(), name: "Other".to_owned() };
    app.engine.create_workspace(command).await.expect("a workspace");
    create_group(&app, "Finance").await;
    assert_eq!(watcher.next().await.action, "GROUP_CREATED");
}
