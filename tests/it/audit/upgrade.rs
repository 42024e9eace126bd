//! Logs from before the chain are chained at the first start, once.

use countersign::{
    config::{DatabaseUrl, Settings},
    domain::audit::{Fault, Line, Trust},
    store::Store,
};
use migration::{Migrator, MigratorTrait};
use rstest::rstest;
use sea_orm::ConnectionTrait;

use super::{broken, lines_of, sound};
use crate::support::Database;

#[rstest]
#[tokio::test]
async fn old_entries_are_chained_in_their_order(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let fresh = database.fresh().await;
    let postgres = matches!(fresh.url, DatabaseUrl::Postgres(_));
    if let DatabaseUrl::Sqlite(path) = &fresh.url {
        std::fs::File::create(path).expect("an empty file");
    }
    let connection = fresh.connect().await;
    if postgres {
        connection.execute_unprepared("DROP SCHEMA public CASCADE; CREATE SCHEMA public").await.expect("empty");
    }
    let earlier = Migrator::migrations().iter().position(|one| one.name() == "m0007_audit_chain");
    Migrator::up(&connection, earlier.and_then(|count| u32::try_from(count).ok())).await.expect("the earlier shape");
    let id = |number: u32| match postgres {
        true => format!("'{number:08x}-1111-7111-8111-111111111111'"),
        false => format!("x'{number:08x}111171118111111111111111'"),
    };
    let time = "'2026-01-01 00:00:00+00:00'";
    for (number, slug) in [(1, "old"), (2, "older")] {
        let statement = format!(
            "INSERT INTO workspace (id, slug, name, created_at) VALUES ({}, '{slug}', 'Old', {time})",
            id(number)
        );
        connection.execute_unprepared(&statement).await.expect("a workspace");
    }
    // More than a page, of two workspaces in turn.
    for number in 10..1_210 {
        let (workspace, actor) = (id(1 + number % 2), id(7));
        let statement = format!(
            "INSERT INTO audit_entry (id, workspace_id, at, actor_kind, actor_id, action, address, details) VALUES \
             ({}, {workspace}, {time}, 'USER', {actor}, 'group.created', '10.0.0.{}', '{{\"number\": {number}}}')",
            id(number),
            number % 250,
        );
        connection.execute_unprepared(&statement).await.expect("an old entry");
    }
    let settings = Settings { database_url: Some(fresh.url.clone()), ..Settings::default() };
    let store = Store::open(&settings).await.expect("brought up to date");
    let workspaces = store.workspaces().await.expect("workspaces");
    for workspace in &workspaces {
        let lines = lines_of(&store, workspace).await;
        assert_eq!(sound(&lines).last, 600);
        let numbers = lines.iter().filter_map(|line| match line {
            Line::Entry(entry) => entry.content["details"]["number"].as_i64(),
            _ => None,
        });
        assert!(numbers.clone().is_sorted() && numbers.count() == 600, "in their order");
        let Line::Entry(entry) = &lines[1] else { panic!("an entry") };
        assert!(entry.values["origin"].value["address"].as_str().is_some_and(|text| text.starts_with("10.0.0.")));
    }
    store.close().await;
    // What somebody puts beside a chain later does not become part of it.
    let statement = format!(
        "INSERT INTO audit_entry (id, workspace_id, at, actor_kind, action, details) VALUES \
         ({}, {}, {time}, 'SYSTEM', 'group.created', '{{}}')",
        id(5_000),
        id(1),
    );
    connection.execute_unprepared(&statement).await.expect("a forged entry");
    let store = Store::open(&settings).await.expect("opened again");
    for workspace in &workspaces {
        let lines = lines_of(&store, workspace).await;
        match workspace.slug.as_str() {
            "old" => assert_eq!(broken(&lines, Trust::default()), (Fault::Inserted, 0)),
            _ => assert_eq!(sound(&lines).last, 600),
        }
    }
    store.close().await;
}
