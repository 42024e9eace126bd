//! Programs under names of their own.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect};

use super::{
    Result, Store, Tx,
    page::{OrderBy, Page, Slice},
    scoped::{by_id, of_workspace},
};
use crate::domain::{
    access::Scope,
    id::{ServiceAccountId, WorkspaceId},
};

#[derive(Debug, Clone)]
pub struct ServiceAccount {
    pub id: ServiceAccountId,
    pub workspace: WorkspaceId,
    pub name: String,
    pub created_at: DateTime<Utc>,
    pub disabled_at: Option<DateTime<Utc>>,
}

impl From<entity::service_account::Model> for ServiceAccount {
    fn from(row: entity::service_account::Model) -> Self {
        Self {
            id: ServiceAccountId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            name: row.name,
            created_at: row.created_at,
            disabled_at: row.disabled_at,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    CreatedAt,
    Name,
}

impl Sort {
    pub fn name(self) -> &'static str {
        match self {
            Sort::CreatedAt => "service_account.created_at",
            Sort::Name => "service_account.name",
        }
    }
}

impl Store {
    pub async fn service_accounts(
        &self,
        scope: Scope,
        sort: Sort,
        descending: bool,
        page: &Page,
    ) -> Result<Slice<ServiceAccount>> {
        use entity::service_account::Column;
        let column = match sort {
            Sort::CreatedAt => Column::CreatedAt,
            Sort::Name => Column::Name,
        };
        let order = OrderBy { name: sort.name(), column, id: Column::Id, descending };
        let slice = self.page(of_workspace::<entity::service_account::Entity>(scope), order, page).await?;
        Ok(slice.map(ServiceAccount::from))
    }

    pub async fn count_service_accounts(&self, scope: Scope) -> Result<u64> {
        Ok(of_workspace::<entity::service_account::Entity>(scope).count(self.read()).await?)
    }

    pub async fn service_accounts_by_id(
        &self,
        scope: Scope,
        ids: &[ServiceAccountId],
    ) -> Result<HashMap<ServiceAccountId, ServiceAccount>> {
        let query = by_id::<entity::service_account::Entity>(scope, ids.iter().map(|id| id.0));
        let rows = self.find(query).await?.into_iter();
        Ok(rows.map(|row| (ServiceAccountId(row.id), ServiceAccount::from(row))).collect())
    }

    pub async fn service_account(&self, scope: Scope, id: ServiceAccountId) -> Result<Option<ServiceAccount>> {
        Ok(self.service_accounts_by_id(scope, &[id]).await?.remove(&id))
    }

    pub async fn service_account_by_name(&self, scope: Scope, name: &str) -> Result<Option<ServiceAccount>> {
        let query = of_workspace::<entity::service_account::Entity>(scope);
        let query = query.filter(entity::service_account::Column::Name.eq(name));
        Ok(self.find_one(query).await?.map(ServiceAccount::from))
    }

    /// The names that a policy can give a seat to: those of accounts that are not disabled, sorted.
    pub async fn active_service_account_names(&self, scope: Scope) -> Result<Vec<String>> {
        use entity::service_account::Column;
        let query = of_workspace::<entity::service_account::Entity>(scope)
            .select_only()
            .column(Column::Name)
            .filter(Column::DisabledAt.is_null())
            .order_by_asc(Column::Name);
        Ok(query.into_tuple().all(self.read()).await?)
    }
}

impl Tx {
    pub async fn insert_service_account(&self, account: &ServiceAccount) -> Result<()> {
        let row = entity::service_account::ActiveModel {
            id: Set(account.id.0),
            workspace_id: Set(account.workspace.0),
            name: Set(account.name.clone()),
            created_at: Set(account.created_at),
            disabled_at: Set(account.disabled_at),
        };
        entity::service_account::Entity::insert(row).exec_without_returning(&self.db).await?;
        Ok(())
    }

    /// A service account as it is now, held until the end of the transaction.
    pub async fn hold_service_account(&self, scope: Scope, id: ServiceAccountId) -> Result<Option<ServiceAccount>> {
        Ok(self.hold::<entity::service_account::Entity>(scope, id.0).await?.map(ServiceAccount::from))
    }

    pub async fn update_service_account(&self, account: &ServiceAccount) -> Result<()> {
        let row = entity::service_account::ActiveModel {
            id: Set(account.id.0),
            name: Set(account.name.clone()),
            disabled_at: Set(account.disabled_at),
            ..Default::default()
        };
        entity::service_account::Entity::update(row).exec(&self.db).await?;
        Ok(())
    }
}
