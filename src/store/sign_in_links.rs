//! One-time links.

use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, QueryFilter};
use secrecy::SecretString;
use uuid::Uuid;

use super::{Result, Tx, secret};
use crate::domain::id::{UserId, WorkspaceId};

/// Whose link it was.
#[derive(Debug, Clone, Copy)]
pub struct Redeemed {
    pub workspace: WorkspaceId,
    pub user: UserId,
}

impl Tx {
    pub async fn insert_sign_in_link(
        &self,
        workspace: WorkspaceId,
        user: UserId,
        link: &SecretString,
        expires_at: DateTime<Utc>,
    ) -> Result<()> {
        let row = entity::sign_in_link::ActiveModel {
            id: Set(Uuid::now_v7()),
            workspace_id: Set(workspace.0),
            user_id: Set(user.0),
            secret_hash: Set(secret::hash(link)),
            created_at: Set(self.now()),
            expires_at: Set(expires_at),
            used_at: Set(None),
        };
        entity::sign_in_link::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }

    /// Uses a link up. Of two that try at once, one gets it.
    pub async fn redeem_sign_in_link(&self, link: &SecretString) -> Result<Option<Redeemed>> {
        use entity::sign_in_link::{ActiveModel, Column, Entity};
        let hash = secret::hash(link);
        let used = Entity::update_many()
            .set(ActiveModel { used_at: Set(Some(self.now())), ..Default::default() })
            .filter(Column::SecretHash.eq(hash.clone()))
            .filter(Column::UsedAt.is_null())
            .filter(Column::ExpiresAt.gt(self.now()));
        if used.exec(&self.db).await?.rows_affected == 0 {
            return Ok(None);
        }
        let row = Entity::find().filter(Column::SecretHash.eq(hash)).one(&self.db).await?;
        Ok(row.map(|row| Redeemed { workspace: WorkspaceId(row.workspace_id), user: UserId(row.user_id) }))
    }

    /// Deletes links that expired before a time, used or not.
    pub async fn forget_sign_in_links(&self, before: DateTime<Utc>) -> Result<()> {
        use entity::sign_in_link::{Column, Entity};
        Entity::delete_many().filter(Column::ExpiresAt.lt(before)).exec(&self.db).await?;
        Ok(())
    }

    /// Takes back the unused links of a person.
    pub async fn drop_sign_in_links(&self, user: UserId) -> Result<()> {
        use entity::sign_in_link::{Column, Entity};
        let unused = Entity::delete_many().filter(Column::UserId.eq(user.0)).filter(Column::UsedAt.is_null());
        unused.exec(&self.db).await?;
        Ok(())
    }
}
