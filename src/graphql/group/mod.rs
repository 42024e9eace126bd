//! Groups of approvers.

mod mutations;
mod queries;

use async_graphql::{Context, ID, Object};
use chrono::{DateTime, Utc};

use super::{
    caller::ContextExt,
    connection::{OrderDirection, PageArgs, Total, connection, page_cost},
    error::Result,
    loaders::{FirstMembers, MemberCount},
    user::{User, UserConnection, UserFilter, UserOrder, page_of_users},
};
use crate::{
    domain::role::Role,
    store::{groups, page::Slice, users::Sort},
};

pub use mutations::GroupMutation;
pub use queries::GroupQuery;

/// A named set of people that can be asked to approve.
#[derive(Clone)]
pub struct Group(pub groups::Group);

/// A named set of people that can be asked to approve.
#[Object]
impl Group {
    /// The group's global id.
    pub async fn id(&self) -> ID {
        self.0.id.to_string().into()
    }

    /// The name, unique in the workspace.
    async fn name(&self) -> &str {
        &self.0.name
    }

    /// What the group is for.
    async fn description(&self) -> &str {
        &self.0.description
    }

    /// When the group was made.
    async fn created_at(&self) -> DateTime<Utc> {
        self.0.created_at
    }

    /// Who is in the group, by name.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    async fn members(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
    ) -> Result<UserConnection> {
        let args = PageArgs { first, after, last, before };
        if args.last.is_none() && args.after.is_none() && args.before.is_none() {
            return self.first_members(ctx, args).await;
        }
        let scope = ctx.require(Role::Viewer)?;
        let filter = UserFilter { group_id: Some(self.0.id.to_string().into()), ..UserFilter::default() };
        let order = UserOrder { field: Sort::DisplayName.into(), direction: OrderDirection::Asc };
        page_of_users(ctx, scope, args, filter, order).await
    }

    /// How many people are in the group.
    async fn member_count(&self, ctx: &Context<'_>) -> Result<i32> {
        let count = ctx.loaders()?.load(MemberCount(self.0.id)).await?.unwrap_or(0);
        Ok(i32::try_from(count).unwrap_or(i32::MAX))
    }
}

impl Group {
    /// The first page, which a list of groups asks of each of its groups: loaded for all of them at once.
    async fn first_members(&self, ctx: &Context<'_>, args: PageArgs) -> Result<UserConnection> {
        let scope = ctx.require(Role::Viewer)?;
        let (size, _) = args.size()?;
        let found = ctx.loaders()?.load(FirstMembers { group: self.0.id, size }).await?.unwrap_or_default();
        let shown = found.iter().take(usize::try_from(size).unwrap_or(usize::MAX));
        let rows: Vec<_> = shown.map(|user| (Sort::DisplayName.cursor(user), user.clone())).collect();
        let slice = Slice { has_previous: false, has_next: found.len() > rows.len(), rows };
        let total = Total::new(ctx, self.0.id, move |store, id| async move {
            Ok(store.count_members(scope, &[id]).await?.remove(&id).unwrap_or(0))
        });
        Ok(UserConnection::new(slice.map(User), total))
    }
}

connection! {
    /// A page of groups.
    GroupConnection,
    /// A group and where it stands in its list.
    GroupEdge, Group
}
