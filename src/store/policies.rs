//! Policies: every version that was saved, and which one is in force.

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    sea_query::{LockType, OnConflict},
};
use uuid::Uuid;

use super::{
    Result, Store, Tx, actor,
    page::{OrderBy, Page, Slice},
    session::Session,
};
use crate::domain::{
    access::{Actor, Scope},
    id::WorkspaceId,
};

/// What is in force in a workspace.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InForce {
    /// Nothing for the policy that is built in.
    pub version: Option<i32>,
    /// Since when nothing is approved without people.
    pub stopped_at: Option<DateTime<Utc>>,
    /// Why.
    pub stop_reason: Option<String>,
    /// Grows with every change.
    pub epoch: i64,
}

/// Where a version came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicySource {
    Api,
    /// The operator's file.
    File,
}

impl PolicySource {
    fn as_str(self) -> &'static str {
        match self {
            PolicySource::Api => "API",
            PolicySource::File => "FILE",
        }
    }
}

/// One version of a workspace's policy.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyVersion {
    pub workspace: WorkspaceId,
    pub number: i32,
    /// As it was written.
    pub document: String,
    pub source: PolicySource,
    pub created_at: DateTime<Utc>,
    pub actor: Actor,
}

impl From<entity::policy_version::Model> for PolicyVersion {
    fn from(row: entity::policy_version::Model) -> Self {
        Self {
            workspace: WorkspaceId(row.workspace_id),
            number: row.number,
            document: row.document,
            source: if row.source == "FILE" { PolicySource::File } else { PolicySource::Api },
            created_at: row.created_at,
            actor: actor::read(&row.actor_kind, row.actor_id),
        }
    }
}

impl From<entity::workspace_policy::Model> for InForce {
    fn from(row: entity::workspace_policy::Model) -> Self {
        Self {
            version: row.version,
            stopped_at: row.stopped_at.filter(|_| row.emergency_stop),
            stop_reason: row.stop_reason.filter(|_| row.emergency_stop),
            epoch: row.epoch,
        }
    }
}

/// The order of the versions.
pub const BY_NUMBER: &str = "policy.number";

impl Store {
    /// What is in force in a workspace now.
    pub async fn policy_in_force(&self, scope: Scope) -> Result<InForce> {
        let row = self.find_one(entity::workspace_policy::Entity::find_by_id(scope.workspace().0)).await?;
        Ok(row.map(InForce::from).unwrap_or_default())
    }

    pub async fn policy_version(&self, scope: Scope, number: i32) -> Result<Option<PolicyVersion>> {
        let id = (scope.workspace().0, number);
        Ok(self.find_one(entity::policy_version::Entity::find_by_id(id)).await?.map(PolicyVersion::from))
    }

    /// Every version, the newest first or last.
    pub async fn policy_versions(&self, scope: Scope, descending: bool, page: &Page) -> Result<Slice<PolicyVersion>> {
        use entity::policy_version::{Column, Entity};
        let query = Entity::find().filter(Column::WorkspaceId.eq(scope.workspace().0));
        let order = OrderBy { name: BY_NUMBER, column: Column::Number, id: Column::WorkspaceId, descending };
        Ok(self.page(query, order, page).await?.map(PolicyVersion::from))
    }

    pub async fn count_policy_versions(&self, scope: Scope) -> Result<u64> {
        use entity::policy_version::{Column, Entity};
        use sea_orm::PaginatorTrait;
        Ok(Entity::find().filter(Column::WorkspaceId.eq(scope.workspace().0)).count(self.read()).await?)
    }
}

/// How often what is in force has changed.
pub(super) async fn epoch(db: &impl Session, workspace: Uuid) -> Result<i64> {
    let query = entity::workspace_policy::Entity::find_by_id(workspace);
    let row = db.model::<entity::workspace_policy::Entity>(query.build(db.backend())).await?;
    Ok(row.map_or(0, |row| row.epoch))
}

impl Tx {
    /// What is in force, held until the end of the transaction.
    pub async fn hold_policy(&self, scope: Scope) -> Result<InForce> {
        use entity::workspace_policy::{ActiveModel, Entity};
        let row = ActiveModel {
            workspace_id: Set(scope.workspace().0),
            version: Set(None),
            emergency_stop: Set(false),
            stop_reason: Set(None),
            stopped_at: Set(None),
            epoch: Set(0),
        };
        // The first change of two at once makes the row on which the second one waits.
        let conflict = OnConflict::column(entity::workspace_policy::Column::WorkspaceId).do_nothing().to_owned();
        Entity::insert(row).on_conflict(conflict).exec_without_returning(&self.db).await?;
        let query = Entity::find_by_id(scope.workspace().0).lock(LockType::NoKeyUpdate);
        Ok(query.one(&self.db).await?.map(InForce::from).unwrap_or_default())
    }

    /// Puts something else in force, which whoever decides by the former notices.
    pub async fn change_policy(&self, scope: Scope, change: InForce) -> Result<()> {
        use entity::workspace_policy::{ActiveModel, Entity};
        let row = ActiveModel {
            workspace_id: Set(scope.workspace().0),
            version: Set(change.version),
            emergency_stop: Set(change.stopped_at.is_some()),
            stop_reason: Set(change.stop_reason),
            stopped_at: Set(change.stopped_at),
            epoch: Set(change.epoch + 1),
        };
        Entity::update(row).exec(&self.db).await?;
        Ok(())
    }

    /// The newest version that was ever saved.
    pub async fn newest_policy_version(&self, scope: Scope) -> Result<Option<PolicyVersion>> {
        use entity::policy_version::{Column, Entity};
        let query = Entity::find().filter(Column::WorkspaceId.eq(scope.workspace().0));
        let query = query.order_by_desc(Column::Number).limit(1);
        Ok(query.one(&self.db).await?.map(PolicyVersion::from))
    }

    pub async fn insert_policy_version(&self, version: &PolicyVersion) -> Result<()> {
        let (actor_kind, actor_id) = actor::columns(version.actor);
        let row = entity::policy_version::ActiveModel {
            workspace_id: Set(version.workspace.0),
            number: Set(version.number),
            document: Set(version.document.clone()),
            source: Set(version.source.as_str().to_owned()),
            created_at: Set(version.created_at),
            actor_kind: Set(actor_kind),
            actor_id: Set(actor_id),
        };
        entity::policy_version::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }
}
