//! Statements on a connection of either kind: SeaORM's, or SQLite's on the thread that asks.

use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, FromQueryResult, QueryResult, QuerySelect,
    QueryTrait, Select, SelectTwo, Statement, TryIntoModel,
};
use tokio::sync::oneshot;

use super::{
    Error, Result, Store,
    bulk::{self, Otherwise, Row},
    inline::{Fields, FromColumns},
};
use crate::tasks::spawn_detached;

/// A table whose rows can be read on any connection.
pub trait Table: EntityTrait<ActiveModel = Self::Fill> {
    type Fill: ActiveModelTrait<Entity = Self> + TryIntoModel<Self::Model> + Send;
}

impl<E, A> Table for E
where
    E: EntityTrait<ActiveModel = A>,
    A: ActiveModelTrait<Entity = E> + TryIntoModel<E::Model> + Send,
{
    type Fill = A;
}

/// Whatever statements can be run on.
pub trait Session: Sync {
    fn backend(&self) -> DbBackend;

    /// Runs a statement without a result and says how many rows it changed.
    fn run(&self, statement: Statement) -> impl Future<Output = Result<u64>> + Send;

    /// Inserts rows of one table, or does otherwise where they are there already. There is at least one.
    fn insert<M: Row>(&self, rows: &[&M], otherwise: Otherwise) -> impl Future<Output = Result<()>> + Send
    where
        Self: Sized,
    {
        bulk::insert_in_portions(self, rows, otherwise)
    }

    /// The rows of a selection of all columns, in the order of the table.
    fn models<E: Table>(&self, statement: Statement) -> impl Future<Output = Result<Vec<E::Model>>> + Send;

    /// The rows of a selection of all columns of two tables, as SeaORM makes it for an entity and another one.
    fn pairs<E: Table, F: Table>(
        &self,
        statement: Statement,
    ) -> impl Future<Output = Result<Vec<(E::Model, F::Model)>>> + Send;

    /// The rows of a selection of some columns.
    fn tuples<T: Fields>(&self, statement: Statement) -> impl Future<Output = Result<Vec<T>>> + Send;

    /// The first row of a selection of all columns.
    fn model<E: Table>(&self, statement: Statement) -> impl Future<Output = Result<Option<E::Model>>> + Send {
        async { Ok(self.models::<E>(statement).await?.into_iter().next()) }
    }

    /// The first row of a selection of some columns.
    fn tuple<T: Fields>(&self, statement: Statement) -> impl Future<Output = Result<Option<T>>> + Send {
        async { Ok(self.tuples::<T>(statement).await?.into_iter().next()) }
    }
}

impl<C: ConnectionTrait> Session for C {
    fn backend(&self) -> DbBackend {
        self.get_database_backend()
    }

    async fn run(&self, statement: Statement) -> Result<u64> {
        Ok(self.execute_raw(statement).await?.rows_affected())
    }

    async fn models<E: Table>(&self, statement: Statement) -> Result<Vec<E::Model>> {
        Ok(E::Model::find_by_statement(statement).all(self).await?)
    }

    async fn pairs<E: Table, F: Table>(&self, statement: Statement) -> Result<Vec<(E::Model, F::Model)>> {
        let rows = self.query_all_raw(statement).await?.into_iter();
        let pair = |row| Ok((E::Model::from_query_result(&row, "A_")?, F::Model::from_query_result(&row, "B_")?));
        rows.map(pair).collect()
    }

    async fn tuples<T: Fields>(&self, statement: Statement) -> Result<Vec<T>> {
        let rows = self.query_all_raw(statement).await?.into_iter();
        rows.map(|row| Ok(T::try_get_many_by_index(&row).map_err(DbErr::from)?)).collect()
    }
}

/// Reads of a few rows that an index finds: SQLite gives them on the thread that asks.
impl Store {
    pub(super) async fn find<E: Table>(&self, query: Select<E>) -> Result<Vec<E::Model>> {
        self.find_by::<E>(query.build(self.0.backend)).await
    }

    /// The rows of a selection of all columns.
    pub(super) async fn find_by<E: Table>(&self, statement: Statement) -> Result<Vec<E::Model>> {
        match &self.0.inline {
            Some(inline) => inline.models::<E>(statement).await,
            None => self.0.read.models::<E>(statement).await,
        }
    }

    pub(super) async fn find_one<E: Table>(&self, query: Select<E>) -> Result<Option<E::Model>> {
        Ok(self.find(query.limit(1)).await?.pop())
    }

    pub(super) async fn find_pairs<E: Table, F: Table>(
        &self,
        query: SelectTwo<E, F>,
    ) -> Result<Vec<(E::Model, F::Model)>> {
        let statement = query.build(self.0.backend);
        match &self.0.inline {
            Some(inline) => inline.pairs::<E, F>(statement).await,
            None => self.0.read.pairs::<E, F>(statement).await,
        }
    }

    /// Thousands of rows: SQLite reads them on a thread of its own, without a message for each. PostgreSQL's are taken
    /// apart in a task of their own, so that several such lists of one request share the processors.
    pub(super) async fn find_many<T: FromColumns>(&self, statement: Statement) -> Result<Vec<T>> {
        let store = self.clone();
        if self.0.inline.is_none() {
            let (sender, receiver) = oneshot::channel();
            spawn_detached(async move {
                let rows = store.0.read.query_all_raw(statement).await;
                let read = |rows: Vec<QueryResult>| rows.iter().map(T::from_columns).collect();
                // Whoever asked may be gone.
                drop(sender.send(rows.and_then(read)));
            });
            return Ok(receiver.await.map_err(|error| Error::Unexpected(error.to_string()))??);
        }
        let read = move || store.0.inline.as_ref().map_or(Ok(Vec::new()), |inline| inline.many(&statement));
        tokio::task::spawn_blocking(read).await.map_err(|error| Error::Unexpected(error.to_string()))?
    }

    /// The columns that are selected, in their order.
    pub(super) async fn find_columns<T: Fields, E: EntityTrait>(&self, query: Select<E>) -> Result<Vec<T>> {
        self.find_columns_by(query.build(self.0.backend)).await
    }

    pub(super) async fn find_columns_by<T: Fields>(&self, statement: Statement) -> Result<Vec<T>> {
        match &self.0.inline {
            Some(inline) => inline.tuples(statement).await,
            None => self.0.read.tuples(statement).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, TimeDelta, Utc};
    use sea_orm::{IntoActiveModel, ModelTrait};
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::{
        config::{DatabaseUrl, Settings},
        store::bulk,
    };

    async fn store(folder: &tempfile::TempDir) -> Store {
        let url = DatabaseUrl::Sqlite(format!("{}/test.db", folder.path().display()));
        let settings = Settings { database_url: Some(url), ..Settings::default() };
        let store = Box::pin(Store::open(&settings)).await.expect("a database");
        // Rows stand for themselves here.
        store.0.write.execute_unprepared("PRAGMA foreign_keys = OFF").await.expect("a setting");
        store
    }

    /// What one kind of connection writes, both read; and what the other one writes, too.
    async fn both_ways<E: Table>(store: &Store, rows: [E::Model; 2])
    where
        E::Model: PartialEq + Sync + IntoActiveModel<E::ActiveModel> + ModelTrait<Entity = E>,
    {
        let [pooled, inline] = &rows;
        E::insert(pooled.clone().into_active_model()).exec_without_returning(&store.0.write).await.expect("a row");
        let db = store.0.inline.as_ref().expect("SQLite").begin().await.expect("a transaction");
        db.run(Statement::from_string(DbBackend::Sqlite, "PRAGMA defer_foreign_keys = ON")).await.expect("a setting");
        bulk::insert(&db, [inline], None).await.expect("another row");
        let within = db.models::<E>(E::find().build(DbBackend::Sqlite)).await.expect("rows");
        assert_eq!(within, rows);
        let statement = E::insert(inline.clone().into_active_model()).build(DbBackend::Sqlite);
        drop(db);
        store.0.write.execute_raw(statement).await.expect("the transaction was undone");
        assert_eq!(store.find(E::find()).await.expect("rows"), rows);
        assert_eq!(E::find().all(store.read()).await.expect("rows"), rows);
    }

    #[tokio::test]
    async fn both_kinds_of_connections_keep_and_read_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(&folder).await;
        let at = DateTime::<Utc>::UNIX_EPOCH + TimeDelta::microseconds(1_700_000_000_123_456);
        let full = entity::audit_entry::Model {
            position: 1,
            id: Uuid::from_u128(1),
            workspace_id: Uuid::from_u128(2),
            at,
            actor_kind: "USER".to_owned(),
            actor_id: Some(Uuid::from_u128(3)),
            action: "ü\u{1F512}".to_owned(),
            subject: Some(String::new()),
            details: json!({"a": [1, 2.5, null, "x"], "big": 12_345_678_901_234_567_890_u64}),
            sequence: Some(i64::MAX),
            previous: Some("p".to_owned()),
            hash: Some("h".to_owned()),
            person_id: Some(Uuid::nil()),
            on_behalf_of: Some(Uuid::max()),
            execution_id: Some(Uuid::from_u128(4)),
            digest: Some("d".to_owned()),
            before: Some(json!(null)),
            after: Some(json!("text")),
            personal: Some(json!({})),
            seal: Some("s".to_owned()),
        };
        let bare = entity::audit_entry::Model {
            position: 2,
            id: Uuid::from_u128(5),
            at: at + TimeDelta::seconds(1) - TimeDelta::microseconds(123_456),
            actor_id: None,
            subject: None,
            details: json!([]),
            sequence: None,
            previous: None,
            hash: None,
            person_id: None,
            on_behalf_of: None,
            execution_id: None,
            digest: None,
            before: None,
            after: None,
            personal: None,
            seal: None,
            ..full.clone()
        };
        both_ways::<entity::audit_entry::Entity>(&store, [full, bare]).await;

        let full = entity::checkpoint::Model {
            id: Uuid::from_u128(1),
            workspace_id: Uuid::from_u128(2),
            execution_id: Uuid::from_u128(3),
            workflow_id: Uuid::from_u128(4),
            step: Some(i32::MAX),
            agent_id: Some(Uuid::from_u128(5)),
            kind: "STEP".to_owned(),
            status: "PENDING".to_owned(),
            test: true,
            operation_type: "refund".to_owned(),
            description: "\0 and more".to_owned(),
            risk_level: "HIGH".to_owned(),
            risk_order: -1,
            confidence: Some(0.1),
            estimated_cost: Some(i64::MIN),
            items: Some(0),
            rule: Some("1".to_owned()),
            policy: Some(7),
            audience: Some("a".to_owned()),
            approvals: 1,
            approvals_needed: 2,
            assignee_id: Some(Uuid::from_u128(6)),
            revision: 1,
            digest: "d".to_owned(),
            requested_at: 1,
            deadline: Some(2),
            deadline_order: i64::MAX,
            escalated_at: Some(3),
            reminders: 4,
            resolved_at: Some(5),
            modified: false,
            overridden_at: Some(6),
        };
        let bare = entity::checkpoint::Model {
            id: Uuid::from_u128(2),
            step: None,
            agent_id: None,
            test: false,
            // A whole number stays a fraction.
            confidence: Some(1.0),
            estimated_cost: None,
            items: None,
            rule: None,
            policy: None,
            audience: None,
            assignee_id: None,
            deadline: None,
            escalated_at: None,
            resolved_at: None,
            modified: true,
            overridden_at: None,
            ..full.clone()
        };
        both_ways::<entity::checkpoint::Entity>(&store, [full, bare]).await;

        let bytes = entity::payload::Model {
            workspace_id: Uuid::from_u128(1),
            hash: vec![0; 32],
            bytes: 3,
            body: vec![0, 255, 1],
            created_at: 1,
        };
        let none = entity::payload::Model { hash: vec![1], body: Vec::new(), ..bytes.clone() };
        both_ways::<entity::payload::Entity>(&store, [bytes, none]).await;
    }

    #[tokio::test]
    async fn a_row_that_is_there_already_is_told_by_its_table() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = store(&folder).await;
        let row = entity::audience::Model {
            workspace_id: Uuid::nil(),
            name: "n".to_owned(),
            members: "[]".to_owned(),
            barred: "[]".to_owned(),
        };
        let db = store.0.inline.as_ref().expect("SQLite").begin().await.expect("a transaction");
        db.run(Statement::from_string(DbBackend::Sqlite, "PRAGMA defer_foreign_keys = ON")).await.expect("a setting");
        let insert = || entity::audience::Entity::insert(row.clone().into_active_model()).build(DbBackend::Sqlite);
        db.run(insert()).await.expect("a row");
        let error = db.run(insert()).await.expect_err("it is there");
        assert!(error.is_duplicate_of("audience"), "{error:?}");
    }
}
