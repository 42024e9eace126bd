//! Finding secrets, but not their values.

use async_graphql::{Context, Object};

use super::{Secret, SecretConnection};
use crate::{
    domain::role::Role,
    graphql::{
        caller::ContextExt,
        connection::{PageArgs, Total, page_cost},
        error::Result,
    },
    store::secrets::BY_NAME,
};

#[derive(Default)]
pub struct SecretQuery;

#[Object]
impl SecretQuery {
    /// The workspace's secrets by name, without their values. Authors write their names into agents. Needs the role AUTHOR.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    async fn secrets(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
    ) -> Result<SecretConnection> {
        let scope = ctx.require(Role::Author)?;
        let page = PageArgs { first, after, last, before }.page(BY_NAME)?;
        let slice = ctx.engine().store().secrets(scope, &page).await?;
        let total = Total::new(ctx, scope, |store, scope| async move { store.count_secrets(scope).await });
        Ok(SecretConnection::new(slice.map(Secret), total))
    }
}
