//! Finding API tokens.

use async_graphql::{Context, Enum, InputObject, Object};

use super::{ApiToken, ApiTokenConnection};
use crate::{
    domain::role::Role,
    graphql::{
        caller::ContextExt,
        connection::{OrderDirection, PageArgs, Total, page_cost},
        error::Result,
    },
    store::api_tokens::Sort,
};

/// What API tokens can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Sort")]
pub enum ApiTokenOrderField {
    /// When the token was made.
    CreatedAt,
    /// The name.
    Name,
}

/// How API tokens are ordered.
#[derive(Debug, Clone, Copy, InputObject)]
pub struct ApiTokenOrder {
    /// By what.
    pub field: ApiTokenOrderField,
    /// Which way.
    pub direction: OrderDirection,
}

#[derive(Default)]
pub struct ApiTokenQuery;

#[Object]
impl ApiTokenQuery {
    /// The API tokens of the workspace. Needs the role ADMIN.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    async fn api_tokens(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
        #[graphql(desc = "In which order: newest first when absent.")] order_by: Option<ApiTokenOrder>,
    ) -> Result<ApiTokenConnection> {
        let scope = ctx.require(Role::Admin)?;
        let order =
            order_by.unwrap_or(ApiTokenOrder { field: ApiTokenOrderField::CreatedAt, direction: OrderDirection::Desc });
        let sort = Sort::from(order.field);
        let page = PageArgs { first, after, last, before }.page(sort.name())?;
        let slice =
            ctx.engine().store().api_tokens(scope, sort, order.direction == OrderDirection::Desc, &page).await?;
        let total = Total::new(ctx, scope, |store, scope| async move { store.count_api_tokens(scope).await });
        Ok(ApiTokenConnection::new(slice.map(ApiToken), total))
    }
}
