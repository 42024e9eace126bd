//! Databases of earlier versions are brought up to date, with all that is in them.

use countersign::{
    config::{DatabaseUrl, Settings},
    domain::{
        access::Scope, agent::Kind, api_token::Owner, execution::CompletionReason, id::ServiceAccountId, role::Role,
    },
    store::{
        Store,
        api_tokens::{ApiToken, Sort},
        executions::Filter,
        groups,
        outside_identities::OutsideIdentity,
        page::Page,
    },
};
use migration::{Migrator, MigratorTrait};
use rstest::rstest;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::json;

use crate::support::{Database, TestApp, at};

#[rstest]
#[tokio::test]
async fn every_earlier_shape_is_brought_up_to_date(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    for steps in 0..=Migrator::migrations().len() {
        let fresh = database.fresh().await;
        let (empty, id) = match &fresh.url {
            DatabaseUrl::Sqlite(path) => {
                std::fs::File::create(path).expect("an empty file");
                ("SELECT 1", "x'11111111111171118111111111111111'")
            }
            DatabaseUrl::Postgres(_) => {
                ("DROP SCHEMA public CASCADE; CREATE SCHEMA public", "'11111111-1111-7111-8111-111111111111'")
            }
        };
        let connection = fresh.connect().await;
        connection.execute_unprepared(empty).await.expect("an empty database");
        let mut expected = Vec::new();
        if steps > 0 {
            Migrator::up(&connection, u32::try_from(steps).ok()).await.expect("the earlier shape");
            let row = format!(
                "INSERT INTO workspace (id, slug, name, created_at) VALUES ({id}, 'old', 'Old', '2026-01-01 00:00:00+00:00')"
            );
            connection.execute_unprepared(&row).await.expect("a row of the earlier version");
            expected.push("old");
        }
        connection.close().await.expect("closed");
        let settings = Settings { database_url: Some(fresh.url.clone()), ..Settings::default() };
        let store = Store::open(&settings).await.unwrap_or_else(|error| panic!("from {steps} migrations: {error}"));
        let found = store.workspaces().await.expect("workspaces");
        assert_eq!(found.iter().map(|workspace| workspace.slug.as_str()).collect::<Vec<_>>(), expected);
        for workspace in found {
            let scope = Scope::system(workspace.id);
            assert_eq!(store.count_executions(scope, &Filter::default()).await.expect("a count"), 0);
        }
        store.close().await;
    }
}

/// The search came with a later version than the groups.
#[rstest]
#[tokio::test]
async fn groups_of_earlier_versions_are_found_by_their_name(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let mut app = TestApp::start(database).await;
    let (scope, fresh) = (app.scope(), app.database.clone());
    let admin = app.token(Role::Admin).await;
    let made =
        app.graphql(&admin, "mutation { createGroup(input: {name: \"Ökonomie\"}) { group { id } } }", json!({})).await;
    assert!(at(&made, "/data/createGroup/group/id").is_string(), "{made}");
    app.stop().await;
    for statement in [
        "ALTER TABLE approver_group DROP COLUMN folded_name",
        "DELETE FROM seaql_migrations WHERE version = 'm0018_folded_groups'",
    ] {
        fresh.execute(statement).await;
    }
    let settings = Settings { database_url: Some(fresh.url.clone()), ..Settings::default() };
    let store = Store::open(&settings).await.expect("the database opens");
    for (part, expected) in [("ÖKO", 1), ("economy", 0)] {
        let filter = groups::Filter { text: Some(part.to_owned()) };
        assert_eq!(store.count_groups(scope, &filter).await.expect("a count"), expected, "{part}");
    }
    store.close().await;
}

/// Until then an account had one identity, as a text with the issuer and the subject.
#[rstest]
#[tokio::test]
async fn outside_identities_of_earlier_versions_still_open_their_accounts(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let migrations = Migrator::migrations();
    let steps = migrations.iter().position(|step| step.name() == "m0021_outside_identity").expect("the migration");
    let fresh = database.fresh().await;
    let (empty, ids) = match &fresh.url {
        DatabaseUrl::Sqlite(path) => {
            std::fs::File::create(path).expect("an empty file");
            let id = |digit: char| format!("x'{}'", digit.to_string().repeat(32));
            ("SELECT 1", ['1', '2', '3'].map(id))
        }
        DatabaseUrl::Postgres(_) => {
            let id = |digit: char| format!("'{}'", digit.to_string().repeat(32));
            ("DROP SCHEMA public CASCADE; CREATE SCHEMA public", ['1', '2', '3'].map(id))
        }
    };
    let [workspace, linked, local] = ids;
    let connection = fresh.connect().await;
    connection.execute_unprepared(empty).await.expect("an empty database");
    Migrator::up(&connection, u32::try_from(steps).ok()).await.expect("the earlier shape");
    let at = "'2026-01-01 00:00:00+00:00'";
    let account = |id: &str, email: &str, subject: &str| {
        format!(
            "INSERT INTO user_account (id, workspace_id, email, display_name, outside_subject, created_at)
             VALUES ({id}, {workspace}, '{email}', 'Ada', {subject}, {at})"
        )
    };
    for statement in [
        format!("INSERT INTO workspace (id, slug, name, created_at) VALUES ({workspace}, 'old', 'Old', {at})"),
        account(&linked, "ada@example.com", "'https://id.example.com auth0|47 11'"),
        account(&local, "bob@example.com", "NULL"),
    ] {
        connection.execute_unprepared(&statement).await.expect("a row of the earlier version");
    }
    connection.close().await.expect("closed");
    let settings = Settings { database_url: Some(fresh.url.clone()), ..Settings::default() };
    let store = Store::open(&settings).await.expect("the database opens");
    let workspace = store.workspaces().await.expect("workspaces").remove(0);
    let scope = Scope::system(workspace.id);
    let identity = |subject: &str| OutsideIdentity { issuer: "https://id.example.com".into(), subject: subject.into() };
    let found = store.user_by_identity(scope, &identity("auth0|47 11")).await.expect("a lookup").expect("an account");
    assert_eq!(found.user.email, "ada@example.com");
    assert!(store.user_by_identity(scope, &identity("auth0|47")).await.expect("a lookup").is_none());
    let identities = store.identities_of(scope, &[found.user.id]).await.expect("identities");
    assert_eq!((identities.len(), identities[&found.user.id].len()), (1, 1));
}

/// Tokens had a maker before they had an owner.
#[rstest]
#[tokio::test]
async fn tokens_of_earlier_versions_get_an_owner(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let mut app = TestApp::start(database).await;
    let (scope, fresh) = (app.scope(), app.database.clone());
    let ada = app.approver("ada@example.com", &[Role::Approver], &[]).await;
    app.token_in(ada, Role::Approver).await;
    for role in [Role::Admin, Role::Admin, Role::Viewer] {
        app.token(role).await;
    }
    let before = app.engine.store().api_tokens(scope, Sort::CreatedAt, false, &Page::first(10)).await.expect("tokens");
    let before: Vec<ApiToken> = before.rows.into_iter().map(|(_, token)| token).collect();
    app.stop().await;
    for statement in [
        "DROP TABLE service_account",
        "ALTER TABLE api_token DROP COLUMN user_id",
        "ALTER TABLE api_token DROP COLUMN service_account_id",
        "ALTER TABLE api_token DROP COLUMN restrictions",
        "ALTER TABLE api_token DROP COLUMN rights",
        "DELETE FROM seaql_migrations WHERE version = 'm0020_service_account'",
    ] {
        fresh.execute(statement).await;
    }
    let settings = Settings { database_url: Some(fresh.url.clone()), ..Settings::default() };
    let store = Store::open(&settings).await.expect("the database opens");
    let ids: Vec<_> = before.iter().map(|token| token.id).collect();
    let tokens = store.api_tokens_by_id(scope, &ids).await.expect("tokens");
    let owner = |number: usize| tokens[&ids[number]].owner.expect("an owner");
    assert_eq!(owner(0), before[0].owner.expect("ada"), "whoever made it");
    assert_eq!(owner(1), owner(2), "the same name is the same account");
    assert_ne!(owner(1), owner(3));
    assert_eq!(owner(1), Owner::ServiceAccount(ServiceAccountId(ids[1].0)), "as its decisions were counted before");
    assert_eq!(store.active_service_account_names(scope).await.expect("names"), ["test ADMIN", "test VIEWER"]);
    assert!(tokens.values().all(|token| token.restrictions.is_empty() && token.rights.is_empty()));
    store.close().await;
}

/// Nothing in the API deletes an execution, but whoever runs the database may have to.
#[rstest]
#[tokio::test]
async fn what_an_execution_left_goes_with_it(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    app.agent("Echo", Kind::Transform, json!({"output": "/input"})).await;
    let workflow = app.workflow(json!({"name": "Kept", "steps": [{"key": "echo", "agent": "Echo"}]})).await;
    for _ in 0..2 {
        let id = app.start_execution(workflow, json!({})).await;
        app.ends(id, CompletionReason::Success).await;
    }
    let connection = app.database.connect().await;
    let counts = async || {
        let mut counts = Vec::new();
        for table in ["execution", "journal", "step_run"] {
            let count =
                Statement::from_string(connection.get_database_backend(), format!("SELECT count(*) FROM {table}"));
            let row = connection.query_one_raw(count).await.expect("a count").expect("a row");
            counts.push(row.try_get_by_index::<i64>(0).expect("a number"));
        }
        counts
    };
    assert_eq!(counts().await, [2, 4, 2]);
    let one = "DELETE FROM execution WHERE id IN (SELECT id FROM execution LIMIT 1)";
    connection.execute_unprepared(one).await.expect("deleted");
    assert_eq!(counts().await, [1, 2, 1]);
    // What it belongs to takes it along.
    connection.execute_unprepared("DELETE FROM workflow").await.expect("deleted");
    assert_eq!(counts().await, [0, 0, 0]);
}
