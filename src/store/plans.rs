//! How SQLite finds what pages ask for: with many rows, the wrong index is as slow as none.

use sea_orm::{ConnectionTrait, DbBackend, EntityTrait, QueryTrait, Select, Statement};

use super::{Store, checkpoints, tasks};
use crate::{
    config::{DatabaseUrl, Settings},
    domain::id::ExecutionId,
};

async fn plan<E: EntityTrait>(store: &Store, query: Select<E>) -> String {
    let Statement { sql, values, .. } = query.build(DbBackend::Sqlite);
    let values = values.map(|values| values.0).unwrap_or_default();
    let explain = Statement::from_sql_and_values(DbBackend::Sqlite, format!("EXPLAIN QUERY PLAN {sql}"), values);
    let rows = store.read().query_all_raw(explain).await.expect("a plan");
    rows.iter().map(|row| row.try_get::<String>("", "detail").expect("a text")).collect::<Vec<_>>().join("; ")
}

#[tokio::test]
async fn what_belongs_to_executions_is_found_by_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = DatabaseUrl::Sqlite(format!("{}/test.db", folder.path().display()));
    let settings = Settings { database_url: Some(url), ..Settings::default() };
    let store = Box::pin(Store::open(&settings)).await.expect("a database");
    let executions = [ExecutionId(uuid::Uuid::nil()), ExecutionId(uuid::Uuid::max())];
    let found = plan(&store, checkpoints::of_executions(&executions)).await;
    assert_eq!(found, "SEARCH checkpoint USING INDEX checkpoint_by_execution (execution_id=?)");
    let found = plan(&store, tasks::with_progress(&executions)).await;
    assert_eq!(found, "SEARCH task USING INDEX task_by_step (execution_id=?)");
}
