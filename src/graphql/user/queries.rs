//! Finding people.

use async_graphql::{Context, Enum, ID, InputObject, Object};

use super::{Role, User, UserConnection};
use crate::{
    domain::{access::Scope, id::GroupId, role},
    graphql::{
        caller::ContextExt,
        connection::{OrderDirection, PageArgs, Total, page_cost},
        error::{Fault, Result},
        filter,
    },
    store::users::{Filter, Sort},
};

/// Which users a list shows: those that fit everything given.
#[derive(Debug, Default, InputObject)]
pub struct UserFilter {
    /// Who has this role.
    pub role: Option<Role>,
    /// Who is in this group.
    pub group_id: Option<ID>,
    /// Only those who are locked out, or only those who are not.
    pub disabled: Option<bool>,
    /// Part of the name or the e-mail address, in any case.
    pub text: Option<String>,
}

/// What users can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Sort")]
pub enum UserOrderField {
    /// When the account was made.
    CreatedAt,
    /// The name that people see.
    DisplayName,
    /// The e-mail address.
    Email,
}

/// How users are ordered.
#[derive(Debug, Clone, Copy, InputObject)]
pub struct UserOrder {
    /// By what.
    pub field: UserOrderField,
    /// Which way.
    pub direction: OrderDirection,
}

impl UserFilter {
    fn into_store(self) -> Result<Filter> {
        let text = filter::search("filter.text", self.text)?;
        let group = self.group_id.map(|id| id.parse::<GroupId>()).transpose();
        Ok(Filter {
            role: self.role.map(role::Role::from),
            group: group.map_err(|error| Fault::BadInput(format!("`filter.groupId`: {error}")))?,
            disabled: self.disabled,
            text,
        })
    }
}

/// One page of the users that a filter lets through.
pub async fn page_of_users(
    ctx: &Context<'_>,
    scope: Scope,
    args: PageArgs,
    filter: UserFilter,
    order: UserOrder,
) -> Result<UserConnection> {
    let sort = Sort::from(order.field);
    let page = args.page(sort.name())?;
    let filter = filter.into_store()?;
    let store = ctx.engine().store();
    let slice = store.users(scope, &filter, sort, order.direction == OrderDirection::Desc, &page).await?;
    let total = Total::new(ctx, filter, move |store, filter| async move { store.count_users(scope, &filter).await });
    Ok(UserConnection::new(slice.map(User), total))
}

#[derive(Default)]
pub struct UserQuery;

#[Object]
impl UserQuery {
    /// The people of the workspace.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    #[expect(clippy::too_many_arguments, reason = "a connection's arguments are GraphQL's own way to name them")]
    async fn users(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
        #[graphql(desc = "Which users.")] filter: Option<UserFilter>,
        #[graphql(desc = "In which order: by name when absent.")] order_by: Option<UserOrder>,
    ) -> Result<UserConnection> {
        let scope = ctx.require(role::Role::Viewer)?;
        let order =
            order_by.unwrap_or(UserOrder { field: UserOrderField::DisplayName, direction: OrderDirection::Asc });
        page_of_users(ctx, scope, PageArgs { first, after, last, before }, filter.unwrap_or_default(), order).await
    }
}
