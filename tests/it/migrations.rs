//! Databases of earlier versions are brought up to date, with all that is in them.

use countersign::{
    config::{DatabaseUrl, Settings},
    domain::access::Scope,
    store::{Store, executions::Filter},
};
use migration::{Migrator, MigratorTrait};
use rstest::rstest;
use sea_orm::ConnectionTrait;

use crate::support::Database;

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
