//! What witnesses of the audit log were told, and what this server is a witness of.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect, TryInsertResult,
    sea_query::OnConflict,
};

use crate::{
    domain::{access::Scope, audit::Seen, id::WorkspaceId},
    store::{Result, Store, Tx},
};

/// What a place outside the database was last told of a chain.
#[derive(Debug, Clone, Default)]
pub struct Witness {
    pub place: String,
    /// The signed head that it has.
    pub sequence: Option<i64>,
    pub hash: Option<String>,
    pub witnessed_at: Option<DateTime<Utc>>,
    /// When and why it was not told since.
    pub failed_at: Option<DateTime<Utc>>,
    pub failure: Option<String>,
    /// How often in a row.
    pub failures: i64,
}

impl Witness {
    pub fn new(place: String) -> Self {
        Self { place, ..Self::default() }
    }

    pub fn head(&self) -> Option<(i64, &str)> {
        Some((self.sequence?, self.hash.as_deref()?))
    }
}

impl Store {
    /// What every place was last told of a chain.
    pub async fn audit_witnesses(&self, workspace: WorkspaceId) -> Result<Vec<Witness>> {
        use entity::audit_witness::{Column, Entity};
        let query = Entity::find().filter(Column::WorkspaceId.eq(workspace.0)).order_by_asc(Column::Place);
        let rows = query.all(self.read()).await?;
        Ok(rows
            .into_iter()
            .map(|row| Witness {
                place: row.place,
                sequence: row.sequence,
                hash: row.hash,
                witnessed_at: row.witnessed_at,
                failed_at: row.failed_at,
                failure: row.failure,
                failures: row.failures,
            })
            .collect())
    }

    /// The heads of another server's workspace that this one was told, from a number on.
    pub async fn witnessed_heads(
        &self,
        scope: Scope,
        of: &str,
        from: i64,
        limit: u64,
    ) -> Result<Vec<(Seen, DateTime<Utc>)>> {
        use entity::witnessed_head::{Column, Entity};
        let query = Entity::find()
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::OfWorkspace.eq(of))
            .filter(Column::Sequence.gte(from))
            .order_by_asc(Column::Sequence)
            .order_by_asc(Column::Hash)
            .limit(limit);
        let rows = query.all(self.read()).await?;
        Ok(rows.into_iter().filter_map(|row| Some((Seen::parse(&row.head).ok()?, row.received_at))).collect())
    }
}

impl Tx {
    pub async fn put_audit_witness(&self, workspace: WorkspaceId, witness: Witness) -> Result<()> {
        use entity::audit_witness::{Column, Entity, Model};
        let Witness { place, sequence, hash, witnessed_at, failed_at, failure, failures } = witness;
        let workspace_id = workspace.0;
        let row = Model { workspace_id, place, sequence, hash, witnessed_at, failed_at, failure, failures };
        let replace = OnConflict::columns([Column::WorkspaceId, Column::Place])
            .update_columns([
                Column::Sequence,
                Column::Hash,
                Column::WitnessedAt,
                Column::FailedAt,
                Column::Failure,
                Column::Failures,
            ])
            .to_owned();
        let query = Entity::insert(row.into_active_model()).on_conflict(replace);
        query.exec_without_returning(&self.db).await?;
        Ok(())
    }

    /// Keeps a head. Says whether another one with its number is kept.
    pub async fn put_witnessed_head(&self, scope: Scope, seen: &Seen) -> Result<bool> {
        use entity::witnessed_head::{ActiveModel, Column, Entity};
        let row = ActiveModel {
            workspace_id: Set(scope.workspace().0),
            of_workspace: Set(seen.head.workspace.clone()),
            sequence: Set(seen.head.sequence),
            hash: Set(seen.head.hash.clone()),
            head: Set(seen.to_line()),
            received_at: Set(self.now()),
        };
        let key = [Column::WorkspaceId, Column::OfWorkspace, Column::Sequence, Column::Hash];
        let _: TryInsertResult<_> = Entity::insert(row)
            .on_conflict(OnConflict::columns(key).do_nothing().to_owned())
            .try_insert()
            .exec_without_returning(&self.db)
            .await?;
        let query = Entity::find()
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::OfWorkspace.eq(seen.head.workspace.as_str()))
            .filter(Column::Sequence.eq(seen.head.sequence))
            .filter(Column::Hash.ne(seen.head.hash.as_str()));
        Ok(query.one(&self.db).await?.is_some())
    }
}
