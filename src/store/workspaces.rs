//! Tenants.

use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, sea_query::LockType};

use super::{Result, Store, Tx};
use crate::domain::{access::Scope, id::WorkspaceId};

#[derive(Debug, Clone)]
pub struct Workspace {
    pub id: WorkspaceId,
    pub slug: String,
    pub name: String,
    pub created_at: DateTime<Utc>,
    /// After how many days the content of what is archived is deleted; never if absent.
    pub deliverable_retention_days: Option<i32>,
}

impl From<entity::workspace::Model> for Workspace {
    fn from(row: entity::workspace::Model) -> Self {
        Self {
            id: WorkspaceId(row.id),
            slug: row.slug,
            name: row.name,
            created_at: row.created_at,
            deliverable_retention_days: row.deliverable_retention_days,
        }
    }
}

impl Store {
    /// The caller's own workspace: there is no other to be had.
    pub async fn workspace(&self, scope: Scope) -> Result<Option<Workspace>> {
        let row = self.find_one(entity::workspace::Entity::find_by_id(scope.workspace().0)).await?;
        Ok(row.map(Workspace::from))
    }

    pub async fn workspace_by_slug(&self, slug: &str) -> Result<Option<Workspace>> {
        let query = entity::workspace::Entity::find().filter(entity::workspace::Column::Slug.eq(slug));
        Ok(self.find_one(query).await?.map(Workspace::from))
    }

    /// All tenants, for the operator at the command line.
    pub async fn workspaces(&self) -> Result<Vec<Workspace>> {
        let query = entity::workspace::Entity::find().order_by_asc(entity::workspace::Column::Slug);
        Ok(query.all(self.read()).await?.into_iter().map(Workspace::from).collect())
    }
}

impl Tx {
    pub async fn insert_workspace(&self, workspace: &Workspace) -> Result<()> {
        let row = entity::workspace::ActiveModel {
            id: Set(workspace.id.0),
            slug: Set(workspace.slug.clone()),
            name: Set(workspace.name.clone()),
            created_at: Set(workspace.created_at),
            deliverable_retention_days: Set(workspace.deliverable_retention_days),
        };
        entity::workspace::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }

    /// The caller's own workspace, which nobody else changes until the end of the transaction.
    pub async fn hold_workspace(&self, scope: Scope) -> Result<Option<Workspace>> {
        let query = entity::workspace::Entity::find_by_id(scope.workspace().0).lock(LockType::NoKeyUpdate);
        Ok(query.one(&self.db).await?.map(Workspace::from))
    }

    pub async fn rename_workspace(&self, scope: Scope, name: &str) -> Result<()> {
        let row = entity::workspace::ActiveModel {
            id: Set(scope.workspace().0),
            name: Set(name.to_owned()),
            ..Default::default()
        };
        entity::workspace::Entity::update(row).exec(&self.db).await?;
        Ok(())
    }

    pub async fn set_deliverable_retention(&self, scope: Scope, days: Option<i32>) -> Result<()> {
        let row = entity::workspace::ActiveModel {
            id: Set(scope.workspace().0),
            deliverable_retention_days: Set(days),
            ..Default::default()
        };
        entity::workspace::Entity::update(row).exec(&self.db).await?;
        Ok(())
    }
}
