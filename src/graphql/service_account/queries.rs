//! Finding service accounts.

use async_graphql::{Context, Enum, InputObject, Object};

use super::{ServiceAccount, ServiceAccountConnection};
use crate::{
    domain::role::Role,
    graphql::{
        caller::ContextExt,
        connection::{OrderDirection, PageArgs, Total, page_cost},
        error::Result,
    },
    store::service_accounts::Sort,
};

/// What service accounts can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Sort")]
pub enum ServiceAccountOrderField {
    /// When the service account was made.
    CreatedAt,
    /// The name.
    Name,
}

/// How service accounts are ordered.
#[derive(Debug, Clone, Copy, InputObject)]
pub struct ServiceAccountOrder {
    /// By what.
    pub field: ServiceAccountOrderField,
    /// Which way.
    pub direction: OrderDirection,
}

#[derive(Default)]
pub struct ServiceAccountQuery;

#[Object]
impl ServiceAccountQuery {
    /// The service accounts of the workspace. Needs the role ADMIN.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    async fn service_accounts(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
        #[graphql(desc = "In which order: by name when absent.")] order_by: Option<ServiceAccountOrder>,
    ) -> Result<ServiceAccountConnection> {
        let scope = ctx.require(Role::Admin)?;
        let by_name = ServiceAccountOrder { field: ServiceAccountOrderField::Name, direction: OrderDirection::Asc };
        let order = order_by.unwrap_or(by_name);
        let sort = Sort::from(order.field);
        let page = PageArgs { first, after, last, before }.page(sort.name())?;
        let descending = order.direction == OrderDirection::Desc;
        let slice = ctx.engine().store().service_accounts(scope, sort, descending, &page).await?;
        let total = Total::new(ctx, scope, |store, scope| async move { store.count_service_accounts(scope).await });
        Ok(ServiceAccountConnection::new(slice.map(ServiceAccount), total))
    }
}
