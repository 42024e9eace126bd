//! Finding groups.

use async_graphql::{Context, Enum, InputObject, Object};

use super::{Group, GroupConnection};
use crate::{
    domain::role::Role,
    graphql::{
        caller::ContextExt,
        connection::{OrderDirection, PageArgs, Total, page_cost},
        error::Result,
        filter,
    },
    store::groups::{Filter, Sort},
};

/// Which groups a list shows.
#[derive(Debug, Default, InputObject)]
pub struct GroupFilter {
    /// Part of the name, in any case.
    pub text: Option<String>,
}

/// What groups can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Sort")]
pub enum GroupOrderField {
    /// When the group was made.
    CreatedAt,
    /// The name.
    Name,
}

/// How groups are ordered.
#[derive(Debug, Clone, Copy, InputObject)]
pub struct GroupOrder {
    /// By what.
    pub field: GroupOrderField,
    /// Which way.
    pub direction: OrderDirection,
}

#[derive(Default)]
pub struct GroupQuery;

#[Object]
impl GroupQuery {
    /// The workspace's groups.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    #[expect(clippy::too_many_arguments, reason = "a connection's arguments are GraphQL's own way to name them")]
    async fn groups(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
        #[graphql(desc = "Which groups.")] filter: Option<GroupFilter>,
        #[graphql(desc = "In which order: by name when absent.")] order_by: Option<GroupOrder>,
    ) -> Result<GroupConnection> {
        let scope = ctx.require(Role::Viewer)?;
        let order = order_by.unwrap_or(GroupOrder { field: GroupOrderField::Name, direction: OrderDirection::Asc });
        let sort = Sort::from(order.field);
        let page = PageArgs { first, after, last, before }.page(sort.name())?;
        let filter = Filter { text: filter::search("filter.text", filter.unwrap_or_default().text)? };
        let descending = order.direction == OrderDirection::Desc;
        let slice = ctx.engine().store().groups(scope, &filter, sort, descending, &page).await?;
        let total =
            Total::new(ctx, filter, move |store, filter| async move { store.count_groups(scope, &filter).await });
        Ok(GroupConnection::new(slice.map(Group), total))
    }
}
