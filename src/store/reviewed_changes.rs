//! Changes that people review, and whether each was made.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QuerySelect, sea_query::OnConflict};

use super::{Result, Store, Tx};
use crate::domain::{
    access::Scope,
    checkpoint::Status,
    id::{CheckpointId, WorkspaceId},
};

/// How many are looked at together.
const MOST: u64 = 100;

/// What became of a change once it was approved.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewedChange {
    pub done_at: Option<DateTime<Utc>>,
    /// Why it could not be made.
    pub problem: Option<String>,
}

impl Store {
    pub async fn reviewed_changes(
        &self,
        scope: Scope,
        ids: &[CheckpointId],
    ) -> Result<HashMap<CheckpointId, ReviewedChange>> {
        use entity::reviewed_change::{Column, Entity};
        let query = Entity::find()
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::CheckpointId.is_in(ids.iter().map(|id| id.0)));
        let found = self.find(query).await?.into_iter();
        Ok(found
            .map(|row| (CheckpointId(row.checkpoint_id), ReviewedChange { done_at: row.done_at, problem: row.problem }))
            .collect())
    }

    /// Changes of all workspaces that were approved and not made yet.
    pub async fn changes_to_make(&self) -> Result<Vec<(WorkspaceId, CheckpointId)>> {
        use entity::{checkpoint, reviewed_change};
        let approved = checkpoint::Entity::find()
            .select_only()
            .column(checkpoint::Column::Id)
            .filter(checkpoint::Column::Status.eq(Status::Approved.as_str()));
        let query = reviewed_change::Entity::find()
            .filter(reviewed_change::Column::DoneAt.is_null())
            .filter(reviewed_change::Column::CheckpointId.in_subquery(sea_orm::QueryTrait::into_query(approved)))
            .limit(MOST);
        let found = self.find(query).await?.into_iter();
        Ok(found.map(|row| (WorkspaceId(row.workspace_id), CheckpointId(row.checkpoint_id))).collect())
    }
}

impl Tx {
    /// Notes that a change waits for review.
    pub async fn insert_reviewed_change(&self, scope: Scope, id: CheckpointId) -> Result<()> {
        use entity::reviewed_change::{ActiveModel, Column, Entity};
        let row = ActiveModel {
            checkpoint_id: Set(id.0),
            workspace_id: Set(scope.workspace().0),
            done_at: Set(None),
            problem: Set(None),
        };
        let conflict = OnConflict::column(Column::CheckpointId).do_nothing().to_owned();
        Entity::insert(row).on_conflict(conflict).exec_without_returning(&self.db).await?;
        Ok(())
    }

    /// Notes that a change was made, or why it cannot be; false if that is known already.
    pub async fn finish_reviewed_change(&self, id: CheckpointId, problem: Option<String>) -> Result<bool> {
        use entity::reviewed_change::{ActiveModel, Column, Entity};
        let row = ActiveModel { done_at: Set(Some(self.now())), problem: Set(problem), ..Default::default() };
        let open =
            Entity::update_many().set(row).filter(Column::CheckpointId.eq(id.0)).filter(Column::DoneAt.is_null());
        Ok(open.exec(&self.db).await?.rows_affected > 0)
    }
}
