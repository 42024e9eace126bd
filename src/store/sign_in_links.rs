//! One-time links.

use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};
use secrecy::SecretString;
use uuid::Uuid;

use super::{Result, Store, Tx, secret};
use crate::domain::{
    access::Scope,
    id::{UserId, WorkspaceId},
};

/// Whose link it is.
#[derive(Debug, Clone, Copy)]
pub struct Owner {
    pub workspace: WorkspaceId,
    pub user: UserId,
    /// Whether the operator made it.
    pub operator: bool,
}

/// A link that can still be used.
#[derive(Debug, Clone, Copy)]
pub struct OpenLink {
    pub created_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

impl Store {
    /// The link with which somebody could sign in to an account now.
    pub async fn open_sign_in_link(&self, scope: Scope, user: UserId, now: DateTime<Utc>) -> Result<Option<OpenLink>> {
        use entity::sign_in_link::{Column, Entity};
        let query = Entity::find()
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::UserId.eq(user.0))
            .filter(Column::UsedAt.is_null())
            .filter(Column::ExpiresAt.gt(now));
        let row = query.one(self.read()).await?;
        Ok(row.map(|row| OpenLink { created_at: row.created_at, expires_at: row.expires_at }))
    }
}

impl Tx {
    pub async fn insert_sign_in_link(
        &self,
        workspace: WorkspaceId,
        user: UserId,
        link: &SecretString,
        expires_at: DateTime<Utc>,
        operator: bool,
    ) -> Result<()> {
        let row = entity::sign_in_link::ActiveModel {
            id: Set(Uuid::now_v7()),
            workspace_id: Set(workspace.0),
            user_id: Set(user.0),
            secret_hash: Set(secret::hash(link)),
            created_at: Set(self.now()),
            expires_at: Set(expires_at),
            used_at: Set(None),
            operator: Set(operator),
        };
        entity::sign_in_link::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }

    /// Whose link it is, used or not.
    pub async fn owner_of_sign_in_link(&self, link: &SecretString) -> Result<Option<Owner>> {
        use entity::sign_in_link::{Column, Entity};
        let row = Entity::find().filter(Column::SecretHash.eq(secret::hash(link))).one(&self.db).await?;
        Ok(row.map(|row| Owner {
            workspace: WorkspaceId(row.workspace_id),
            user: UserId(row.user_id),
            operator: row.operator,
        }))
    }

    /// Uses a link up; tells whether it was good. Of two that try at once, one gets it.
    pub async fn redeem_sign_in_link(&self, link: &SecretString) -> Result<bool> {
        use entity::sign_in_link::{ActiveModel, Column, Entity};
        let used = Entity::update_many()
            .set(ActiveModel { used_at: Set(Some(self.now())), ..Default::default() })
            .filter(Column::SecretHash.eq(secret::hash(link)))
            .filter(Column::UsedAt.is_null())
            .filter(Column::ExpiresAt.gt(self.now()));
        Ok(used.exec(&self.db).await?.rows_affected == 1)
    }

    /// Deletes links that expired before a time, used or not.
    pub async fn forget_sign_in_links(&self, before: DateTime<Utc>) -> Result<()> {
        use entity::sign_in_link::{Column, Entity};
        Entity::delete_many().filter(Column::ExpiresAt.lt(before)).exec(&self.db).await?;
        Ok(())
    }

    /// Takes back the unused links of a person; tells how many there were.
    pub async fn drop_sign_in_links(&self, user: UserId) -> Result<u64> {
        use entity::sign_in_link::{Column, Entity};
        let unused = Entity::delete_many().filter(Column::UserId.eq(user.0)).filter(Column::UsedAt.is_null());
        Ok(unused.exec(&self.db).await?.rows_affected)
    }
}
