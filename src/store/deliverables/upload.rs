//! Content that is expected, and files that nobody refers to.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::Expr,
};
use uuid::Uuid;

use crate::{
    domain::{
        access::{Actor, Scope},
        id::{DeliverableId, WorkspaceId},
    },
    store::{Result, Store, Tx, actor, micros},
};

/// Content that is expected.
#[derive(Debug, Clone)]
pub struct Upload {
    pub id: Uuid,
    pub workspace: WorkspaceId,
    pub deliverable: DeliverableId,
    /// What will be made of it: JSON that only the engine reads.
    pub intent: String,
    pub actor: Actor,
    pub expires_at: DateTime<Utc>,
}

impl From<entity::deliverable_upload::Model> for Upload {
    fn from(row: entity::deliverable_upload::Model) -> Self {
        Self {
            id: row.id,
            workspace: WorkspaceId(row.workspace_id),
            deliverable: DeliverableId(row.deliverable_id),
            intent: row.intent,
            actor: actor::read(&row.actor_kind, row.actor_id),
            expires_at: micros::to_time(row.expires_at),
        }
    }
}

impl Store {
    /// An upload, whatever its workspace: whoever asks has shown a token for exactly this one.
    pub async fn upload(&self, id: Uuid) -> Result<Option<Upload>> {
        Ok(entity::deliverable_upload::Entity::find_by_id(id).one(self.read()).await?.map(Upload::from))
    }

    /// The upload by which a deliverable will come to be.
    pub async fn upload_of(&self, workspace: WorkspaceId, id: DeliverableId) -> Result<Option<Upload>> {
        use entity::deliverable_upload::{Column, Entity};
        let query = Entity::find().filter(Column::DeliverableId.eq(id.0)).filter(Column::WorkspaceId.eq(workspace.0));
        Ok(query.one(self.read()).await?.map(Upload::from))
    }

    /// Files that are not needed any more, whatever their workspace.
    pub async fn due_objects(&self, now: DateTime<Utc>, limit: u64) -> Result<Vec<String>> {
        use entity::loose_object::{Column, Entity};
        let query = Entity::find()
            .filter(Column::ExpiresAt.lte(micros::from_time(now)))
            .order_by_asc(Column::ExpiresAt)
            .limit(limit);
        Ok(query.all(&self.0.background).await?.into_iter().map(|row| row.object_key).collect())
    }
}

impl Tx {
    /// How many uploads of the caller wait for their content.
    pub async fn count_pending_uploads(&self, scope: Scope) -> Result<u64> {
        use entity::deliverable_upload::{Column, Entity};
        let (kind, id) = actor::columns(scope.actor());
        let by = id.map_or(Column::ActorId.is_null(), |id| Column::ActorId.eq(id));
        let query = Entity::find()
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::ActorKind.eq(kind))
            .filter(by)
            .filter(Column::ExpiresAt.gt(micros::from_time(self.now())));
        Ok(query.count(&self.db).await?)
    }

    pub async fn insert_upload(&self, upload: &Upload) -> Result<()> {
        let (actor_kind, actor_id) = actor::columns(upload.actor);
        let row = entity::deliverable_upload::ActiveModel {
            id: Set(upload.id),
            workspace_id: Set(upload.workspace.0),
            deliverable_id: Set(upload.deliverable.0),
            intent: Set(upload.intent.clone()),
            actor_kind: Set(actor_kind),
            actor_id: Set(actor_id),
            expires_at: Set(micros::from_time(upload.expires_at)),
        };
        entity::deliverable_upload::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }

    /// Keeps an upload that has begun for longer. Not if it is gone.
    pub async fn prolong_upload(&self, id: Uuid, until: DateTime<Utc>) -> Result<bool> {
        use entity::deliverable_upload::{Column, Entity};
        let update = Entity::update_many()
            .col_expr(Column::ExpiresAt, Expr::value(micros::from_time(until)))
            .filter(Column::Id.eq(id));
        Ok(update.exec(&self.db).await?.rows_affected > 0)
    }

    /// Whether this is the one that ends an upload: of two at once, only one can.
    pub async fn end_upload(&self, id: Uuid) -> Result<bool> {
        let deleted = entity::deliverable_upload::Entity::delete_by_id(id).exec(&self.db).await?;
        Ok(deleted.rows_affected > 0)
    }

    pub async fn forget_uploads(&self, before: DateTime<Utc>) -> Result<()> {
        use entity::deliverable_upload::{Column, Entity};
        Entity::delete_many().filter(Column::ExpiresAt.lt(micros::from_time(before))).exec(&self.db).await?;
        Ok(())
    }

    /// Notes a file before it is written: whatever happens, somebody will delete it unless a version takes it.
    pub async fn insert_loose_object(&self, key: &str, expires_at: DateTime<Utc>) -> Result<()> {
        let row = entity::loose_object::ActiveModel {
            object_key: Set(key.to_owned()),
            expires_at: Set(micros::from_time(expires_at)),
        };
        entity::loose_object::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }

    /// Leaves a file for later.
    pub async fn postpone_loose_object(&self, key: &str, until: DateTime<Utc>) -> Result<()> {
        use entity::loose_object::{Column, Entity};
        Entity::update_many()
            .col_expr(Column::ExpiresAt, Expr::value(micros::from_time(until)))
            .filter(Column::ObjectKey.eq(key))
            .exec(&self.db)
            .await?;
        Ok(())
    }

    /// Forgets a file that is gone.
    pub async fn forget_loose_object(&self, key: &str) -> Result<()> {
        entity::loose_object::Entity::delete_by_id(key).exec(&self.db).await?;
        Ok(())
    }
}
