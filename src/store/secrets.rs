//! Secrets of workspaces, sealed before they come here. (Those that the server hands out itself are in `secret`.)

use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect,
    sea_query::{LockType, OnConflict},
};

use super::{
    Result, Store, Tx,
    page::{OrderBy, Page, Slice},
    scoped::{by_id, of_workspace},
};
use crate::domain::{
    access::{Actor, Scope},
    id::{SecretId, UserId},
};

/// The order's name within cursors.
pub const BY_NAME: &str = "secret.name";

/// What can be told of a secret: everything but its value.
#[derive(Debug, Clone)]
pub struct Secret {
    pub id: SecretId,
    pub name: String,
    pub created_at: DateTime<Utc>,
    pub updated_at: DateTime<Utc>,
    /// The person who set it last, if it was one.
    pub updated_by: Option<UserId>,
}

impl From<entity::secret::Model> for Secret {
    fn from(row: entity::secret::Model) -> Self {
        Self {
            id: SecretId(row.id),
            name: row.name,
            created_at: row.created_at,
            updated_at: row.updated_at,
            updated_by: row.updated_by.map(UserId),
        }
    }
}

impl Store {
    /// By name.
    pub async fn secrets(&self, scope: Scope, page: &Page) -> Result<Slice<Secret>> {
        use entity::secret::Column;
        let order = OrderBy { name: BY_NAME, column: Column::Name, id: Column::Id, descending: false };
        let slice = self.page(of_workspace::<entity::secret::Entity>(scope), order, page).await?;
        Ok(slice.map(Secret::from))
    }

    pub async fn count_secrets(&self, scope: Scope) -> Result<u64> {
        Ok(of_workspace::<entity::secret::Entity>(scope).count(self.read()).await?)
    }

    pub async fn secret(&self, scope: Scope, id: SecretId) -> Result<Option<Secret>> {
        let query = by_id::<entity::secret::Entity>(scope, [id.0]);
        Ok(query.one(self.read()).await?.map(Secret::from))
    }

    /// The names and sealed values of those that are there.
    pub async fn sealed_secrets(&self, scope: Scope, names: &[String]) -> Result<Vec<(String, Vec<u8>)>> {
        use entity::secret::Column;
        let named = of_workspace::<entity::secret::Entity>(scope).filter(Column::Name.is_in(names));
        let columns = named.select_only().column(Column::Name).column(Column::Sealed);
        Ok(columns.into_tuple().all(self.read()).await?)
    }
}

impl Tx {
    /// Gives a secret a new value, whether it is there already or not.
    pub async fn put_secret(&self, scope: Scope, name: &str, sealed: Vec<u8>) -> Result<Secret> {
        use entity::secret::{ActiveModel, Column, Entity};
        let updated_by = match scope.actor() {
            Actor::User(id) => Some(id.0),
            Actor::ApiToken(_) | Actor::System => None,
        };
        let row = ActiveModel {
            id: Set(SecretId::new(self.now()).0),
            workspace_id: Set(scope.workspace().0),
            name: Set(name.to_owned()),
            sealed: Set(sealed),
            created_at: Set(self.now()),
            updated_at: Set(self.now()),
            updated_by: Set(updated_by),
        };
        let replace = OnConflict::columns([Column::WorkspaceId, Column::Name])
            .update_columns([Column::Sealed, Column::UpdatedAt, Column::UpdatedBy])
            .to_owned();
        Ok(Entity::insert(row).on_conflict(replace).exec_with_returning(&self.db).await?.into())
    }

    /// A secret as it is now, held until the end of the transaction: nobody deletes it meanwhile.
    pub async fn hold_secret(&self, scope: Scope, name: &str) -> Result<Option<Secret>> {
        let query = of_workspace::<entity::secret::Entity>(scope)
            .filter(entity::secret::Column::Name.eq(name))
            .lock(LockType::Update);
        Ok(query.one(&self.db).await?.map(Secret::from))
    }

    pub async fn delete_secret(&self, secret: &Secret) -> Result<()> {
        entity::secret::Entity::delete_by_id(secret.id.0).exec(&self.db).await?;
        Ok(())
    }
}
