//! Finding agents.

use async_graphql::{Context, Enum, InputObject, Object};

use super::{Agent, AgentConnection, AgentKind};
use crate::{
    domain::{agent::Kind, role::Role},
    graphql::{
        caller::ContextExt,
        connection::{OrderDirection, PageArgs, Total, page_cost},
        error::Result,
        filter,
    },
    store::agents::{Filter, Sort},
};

/// Which agents a list shows: those that fit everything given.
#[derive(Debug, Default, InputObject)]
pub struct AgentFilter {
    /// Agents of this kind.
    pub kind: Option<AgentKind>,
    /// Only those that are archived, or only those that are not.
    pub archived: Option<bool>,
    /// Part of the name, in any case.
    pub search: Option<String>,
}

impl AgentFilter {
    fn into_store(self) -> Result<Filter> {
        Ok(Filter {
            kind: self.kind.map(Kind::from),
            archived: self.archived,
            search: filter::search("filter.search", self.search)?,
        })
    }
}

/// What agents can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Sort")]
pub enum AgentOrderField {
    /// When the agent was made.
    CreatedAt,
    /// The name.
    Name,
    /// When the agent was last changed.
    UpdatedAt,
}

/// How agents are ordered.
#[derive(Debug, Clone, Copy, InputObject)]
pub struct AgentOrder {
    /// By what.
    pub field: AgentOrderField,
    /// Which way.
    pub direction: OrderDirection,
}

#[derive(Default)]
pub struct AgentQuery;

#[Object]
impl AgentQuery {
    /// The workspace's agents.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    #[expect(clippy::too_many_arguments, reason = "a connection's arguments are GraphQL's own way to name them")]
    async fn agents(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
        #[graphql(desc = "Which agents.")] filter: Option<AgentFilter>,
        #[graphql(desc = "In which order: by name when absent.")] order_by: Option<AgentOrder>,
    ) -> Result<AgentConnection> {
        let scope = ctx.require(Role::Viewer)?;
        let order = order_by.unwrap_or(AgentOrder { field: AgentOrderField::Name, direction: OrderDirection::Asc });
        let sort = Sort::from(order.field);
        let page = PageArgs { first, after, last, before }.page(sort.name())?;
        let filter = filter.unwrap_or_default().into_store()?;
        let store = ctx.engine().store();
        let slice = store.agents(scope, &filter, sort, order.direction == OrderDirection::Desc, &page).await?;
        let total =
            Total::new(ctx, filter, move |store, filter| async move { store.count_agents(scope, &filter).await });
        Ok(AgentConnection::new(slice.map(Agent), total))
    }

    /// The agent with this name, archived or not; null if there is none.
    async fn agent_by_name(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The name, exactly.")] name: String,
    ) -> Result<Option<Agent>> {
        let scope = ctx.require(Role::Viewer)?;
        if !filter::can_be_name(&name) {
            return Ok(None);
        }
        Ok(ctx.engine().store().agent_by_name(scope, &name).await?.map(Agent))
    }
}
