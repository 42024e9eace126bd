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
    id::{SecretId, UserId, WorkspaceId},
    secret::{Binding, HostRule},
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
    /// Where it may be sent; absent for one from before there were bindings.
    pub binding: Option<Binding>,
}

fn with_value(mut row: entity::secret::Model) -> (Secret, Vec<u8>) {
    let sealed = std::mem::take(&mut row.sealed);
    (row.into(), sealed)
}

/// A list of texts as it is kept. What cannot be read allows nothing.
fn read_list(text: &str) -> Vec<String> {
    serde_json::from_str(text).unwrap_or_default()
}

fn read_binding(hosts: Option<&str>, agents: Option<&str>) -> Option<Binding> {
    let hosts: Vec<HostRule> = read_list(hosts?).iter().filter_map(|host| host.parse().ok()).collect();
    Some(Binding { hosts, agents: agents.map(read_list).unwrap_or_default() })
}

/// The columns of a binding.
fn columns(binding: &Binding) -> (Option<String>, Option<String>) {
    let hosts: Vec<String> = binding.hosts.iter().map(ToString::to_string).collect();
    let list = |texts: &[String]| serde_json::Value::from(texts.to_vec()).to_string();
    (Some(list(&hosts)), (!binding.agents.is_empty()).then(|| list(&binding.agents)))
}

impl From<entity::secret::Model> for Secret {
    fn from(row: entity::secret::Model) -> Self {
        Self {
            id: SecretId(row.id),
            name: row.name,
            created_at: row.created_at,
            updated_at: row.updated_at,
            updated_by: row.updated_by.map(UserId),
            binding: read_binding(row.hosts.as_deref(), row.agents.as_deref()),
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

    /// Those with these names that are there, with their sealed values.
    pub async fn sealed_secrets(&self, scope: Scope, names: &[String]) -> Result<Vec<(Secret, Vec<u8>)>> {
        let named = of_workspace::<entity::secret::Entity>(scope).filter(entity::secret::Column::Name.is_in(names));
        let rows = named.all(self.read()).await?;
        Ok(rows.into_iter().map(with_value).collect())
    }

    /// Those with these names that are there.
    pub async fn secrets_named(&self, scope: Scope, names: &[String]) -> Result<Vec<Secret>> {
        Ok(self.sealed_secrets(scope, names).await?.into_iter().map(|(secret, _)| secret).collect())
    }

    /// Where there are secrets from before there were bindings.
    pub async fn workspaces_with_unbound_secrets(&self) -> Result<Vec<WorkspaceId>> {
        use entity::secret::{Column, Entity};
        let query = Entity::find().select_only().column(Column::WorkspaceId).distinct().filter(Column::Hosts.is_null());
        let found: Vec<uuid::Uuid> = query.into_tuple().all(self.read()).await?;
        Ok(found.into_iter().map(WorkspaceId).collect())
    }
}

impl Tx {
    /// Gives a secret a new value and a binding, whether it is there already or not.
    pub async fn put_secret(&self, scope: Scope, name: &str, sealed: Vec<u8>, binding: &Binding) -> Result<Secret> {
        use entity::secret::{ActiveModel, Column, Entity};
        let (hosts, agents) = columns(binding);
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
            hosts: Set(hosts),
            agents: Set(agents),
        };
        let replace = OnConflict::columns([Column::WorkspaceId, Column::Name])
            .update_columns([Column::Sealed, Column::UpdatedAt, Column::UpdatedBy, Column::Hosts, Column::Agents])
            .to_owned();
        Ok(Entity::insert(row).on_conflict(replace).exec_with_returning(&self.db).await?.into())
    }

    /// A secret as it is now, with its sealed value, held until the end of the transaction: it is not deleted meanwhile.
    pub async fn hold_secret(&self, scope: Scope, name: &str) -> Result<Option<(Secret, Vec<u8>)>> {
        let query = of_workspace::<entity::secret::Entity>(scope)
            .filter(entity::secret::Column::Name.eq(name))
            .lock(LockType::Update);
        Ok(query.one(&self.db).await?.map(with_value))
    }

    /// A workspace's secrets from before there were bindings.
    pub async fn unbound_secrets(&self, scope: Scope) -> Result<Vec<Secret>> {
        let query = of_workspace::<entity::secret::Entity>(scope).filter(entity::secret::Column::Hosts.is_null());
        Ok(query.all(&self.db).await?.into_iter().map(Secret::from).collect())
    }

    /// Binds a secret that has no binding yet; tells whether it had none.
    pub async fn bind_secret(&self, secret: &Secret, binding: &Binding) -> Result<bool> {
        use entity::secret::{ActiveModel, Column, Entity};
        let (hosts, agents) = columns(binding);
        let bound = Entity::update_many()
            .set(ActiveModel { hosts: Set(hosts), agents: Set(agents), ..Default::default() })
            .filter(Column::Id.eq(secret.id.0))
            .filter(Column::Hosts.is_null());
        Ok(bound.exec(&self.db).await?.rows_affected == 1)
    }

    pub async fn delete_secret(&self, secret: &Secret) -> Result<()> {
        entity::secret::Entity::delete_by_id(secret.id.0).exec(&self.db).await?;
        Ok(())
    }
}
