//! Databases of earlier versions are brought up to date, with all that is in them.

use countersign::{
    config::{DatabaseUrl, Settings},
    domain::{access::Scope, agent::Kind, execution::CompletionReason, role::Role},
    store::{Store, executions::Filter, groups},
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
