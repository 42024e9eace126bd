//! Changing deliverables.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, sea_query::Expr,
};

use super::rows::{Content, Deliverable, Put, Version};
use crate::{
    domain::{
        access::Scope,
        deliverable::{About, Event, Status, Storage},
        id::{DeliverableId, WorkspaceId},
    },
    store::{
        Error, Result, Store, Tx, actor,
        journal::{self, Append},
        micros, search,
        session::Session,
    },
};

/// Writes a version of what an append brings, and gives what happened. The caller has the journal's lock.
pub(in crate::store) async fn put(db: &impl Session, append: &Append, put: &Put) -> Result<Event> {
    use entity::deliverable::{ActiveModel, Column, Entity};
    let at = micros::from_time(append.at);
    let event = match &put.new {
        Some(new) => {
            let (actor_kind, actor_id) = actor::columns(append.actor);
            let row = ActiveModel {
                id: Set(put.deliverable.0),
                workspace_id: Set(append.workspace.0),
                execution_id: Set(append.execution.0),
                step: Set(new.step.and_then(|step| i32::try_from(step).ok())),
                agent_id: Set(new.agent.map(|agent| agent.0)),
                checkpoint_id: Set(new.checkpoint.map(|checkpoint| checkpoint.0)),
                name: Set(new.name.clone()),
                folded_name: Set(search::fold(&new.name)),
                description: Set(new.description.clone()),
                r#type: Set(new.r#type.as_str().to_owned()),
                status: Set(Status::Draft.as_str().to_owned()),
                status_before: Set(None),
                version: Set(1),
                created_at: Set(at),
                updated_at: Set(at),
                archived_at: Set(None),
                content_deleted_at: Set(None),
                actor_kind: Set(actor_kind),
                actor_id: Set(actor_id),
            };
            db.run(Entity::insert(row).build(db.backend())).await?;
            let about = About { deliverable: put.deliverable.0, name: new.name.clone(), version: 1, step: new.step };
            Event::Created(about)
        }
        None => {
            let found = Entity::find_by_id(put.deliverable.0).filter(Column::WorkspaceId.eq(append.workspace.0));
            let missing = || Error::Unexpected(format!("{} is gone", put.deliverable));
            let found = db.model::<Entity>(found.build(db.backend())).await?;
            let found = Deliverable::from(found.ok_or_else(missing)?);
            let version = found.version + 1;
            let row = ActiveModel {
                id: Set(found.id.0),
                version: Set(version),
                // What follows something frozen, or put away, is a draft again.
                status: Set(Status::Draft.as_str().to_owned()),
                status_before: Set(None),
                archived_at: Set(None),
                updated_at: Set(at),
                ..Default::default()
            };
            db.run(Entity::update(row).validate()?.build(db.backend())).await?;
            Event::Updated(About { deliverable: found.id.0, name: found.name, version, step: found.step })
        }
    };
    insert_version(db, append, put, event.about().version).await?;
    Ok(event)
}

async fn insert_version(db: &impl Session, append: &Append, put: &Put, number: i32) -> Result<()> {
    use entity::{deliverable_body, deliverable_version, loose_object};
    let (actor_kind, actor_id) = actor::columns(append.actor);
    let mut row = deliverable_version::ActiveModel {
        deliverable_id: Set(put.deliverable.0),
        number: Set(number),
        storage: Set(Storage::External.as_str().to_owned()),
        mime_type: Set(put.version.mime_type.clone()),
        size: Set(None),
        sha256: Set(None),
        crc32: Set(None),
        object_key: Set(None),
        url: Set(None),
        metadata: Set(None),
        created_at: Set(micros::from_time(append.at)),
        actor_kind: Set(actor_kind),
        actor_id: Set(actor_id),
    };
    match &put.version.content {
        Content::Inline { body, sha256, crc32 } => {
            row.storage = Set(Storage::Inline.as_str().to_owned());
            row.size = Set(i64::try_from(body.len()).ok());
            row.sha256 = Set(Some(sha256.clone()));
            row.crc32 = Set(Some((*crc32).into()));
            let body = deliverable_body::ActiveModel {
                deliverable_id: Set(put.deliverable.0),
                number: Set(number),
                body: Set(body.clone()),
            };
            db.run(deliverable_body::Entity::insert(body).build(db.backend())).await?;
        }
        Content::File { key, size, sha256, crc32 } => {
            row.storage = Set(Storage::File.as_str().to_owned());
            row.size = Set(i64::try_from(*size).ok());
            row.sha256 = Set(Some(sha256.clone()));
            row.crc32 = Set(Some((*crc32).into()));
            row.object_key = Set(Some(key.clone()));
            // From now on it has somebody who refers to it. If it has been given up meanwhile, it is not there.
            if db.run(loose_object::Entity::delete_by_id(key).build(db.backend())).await? == 0 {
                return Err(Error::Unexpected(format!("the file {key} was given up before it was complete")));
            }
        }
        Content::External { url, metadata } => {
            row.url = Set(Some(url.clone()));
            row.metadata = Set(metadata.clone());
        }
    }
    db.run(deliverable_version::Entity::insert(row).build(db.backend())).await?;
    Ok(())
}

impl Tx {
    /// Keeps everybody else from writing to the journal. Before rows are held that its writer may need.
    pub async fn lock_journal(&self) -> Result<()> {
        journal::lock(&self.db).await
    }

    /// A deliverable as it is now, held until the end of the transaction.
    pub async fn hold_deliverable(&self, scope: Scope, id: DeliverableId) -> Result<Option<Deliverable>> {
        Ok(self.hold::<entity::deliverable::Entity>(scope, id.0).await?.map(Deliverable::from))
    }

    /// Writes what may change of a deliverable beside its content.
    pub async fn update_deliverable(&self, deliverable: &Deliverable) -> Result<()> {
        let row = entity::deliverable::ActiveModel {
            id: Set(deliverable.id.0),
            name: Set(deliverable.name.clone()),
            folded_name: Set(search::fold(&deliverable.name)),
            description: Set(deliverable.description.clone()),
            r#type: Set(deliverable.r#type.as_str().to_owned()),
            status: Set(deliverable.status.as_str().to_owned()),
            status_before: Set(deliverable.status_before.map(|status| status.as_str().to_owned())),
            updated_at: Set(micros::from_time(deliverable.updated_at)),
            archived_at: Set(deliverable.archived_at.map(micros::from_time)),
            ..Default::default()
        };
        entity::deliverable::Entity::update(row).exec(&self.db).await?;
        Ok(())
    }

    /// Deletes the content of all versions. The rest stays; files are deleted once this is committed.
    pub async fn delete_content(&self, deliverable: &Deliverable) -> Result<()> {
        use entity::{deliverable, deliverable_body, deliverable_version};
        let id = deliverable.id.0;
        let versions = deliverable_version::Entity::find()
            .filter(deliverable_version::Column::DeliverableId.eq(id))
            .filter(deliverable_version::Column::ObjectKey.is_not_null());
        for version in versions.all(&self.db).await?.into_iter().map(Version::from) {
            if let Some(key) = version.object_key {
                self.insert_loose_object(&key, self.now()).await?;
            }
        }
        deliverable_version::Entity::update_many()
            .col_expr(deliverable_version::Column::ObjectKey, Expr::value(Option::<String>::None))
            .filter(deliverable_version::Column::DeliverableId.eq(id))
            .exec(&self.db)
            .await?;
        deliverable_body::Entity::delete_many()
            .filter(deliverable_body::Column::DeliverableId.eq(id))
            .exec(&self.db)
            .await?;
        let row = deliverable::ActiveModel {
            id: Set(id),
            content_deleted_at: Set(Some(micros::from_time(self.now()))),
            ..Default::default()
        };
        deliverable::Entity::update(row).exec(&self.db).await?;
        Ok(())
    }
}

impl Store {
    /// Deliverables of a workspace that were archived before a time, and still have content.
    pub async fn archived_before(
        &self,
        workspace: WorkspaceId,
        before: DateTime<Utc>,
        limit: u64,
    ) -> Result<Vec<DeliverableId>> {
        use entity::deliverable::{Column, Entity};
        let query = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::WorkspaceId.eq(workspace.0))
            .filter(Column::ArchivedAt.lt(micros::from_time(before)))
            .filter(Column::ContentDeletedAt.is_null())
            .order_by_asc(Column::ArchivedAt)
            .limit(limit);
        let ids: Vec<uuid::Uuid> = query.into_tuple().all(&self.0.background).await?;
        Ok(ids.into_iter().map(DeliverableId).collect())
    }
}
