//! Finding executions.

use async_graphql::{Context, ID, InputObject, Object};
use chrono::{DateTime, Utc};

use super::{Execution, ExecutionConnection, ExecutionMode, ExecutionStatus};
use crate::{
    domain::{
        access::Scope,
        id::{ExecutionId, WorkflowId},
        name,
        role::Role,
        time,
    },
    graphql::{
        caller::ContextExt,
        connection::{OrderDirection, PageArgs, Total, page_cost},
        error::{Result, argument_id},
        filter,
        loaders::FirstContinuations,
    },
    store::{
        Store,
        executions::{BY_AGE, Filter},
        page::Slice,
    },
};

/// Which executions a list shows: those that fit everything given.
#[derive(Debug, Default, InputObject)]
pub struct ExecutionFilter {
    /// In any of these states.
    status: Option<Vec<ExecutionStatus>>,
    /// Of this workflow.
    workflow_id: Option<ID>,
    /// Of this mode.
    mode: Option<ExecutionMode>,
    /// With exactly this correlation id.
    correlation_id: Option<String>,
    /// That continue this execution.
    origin_id: Option<ID>,
    /// Made at this time or later.
    from: Option<DateTime<Utc>>,
    /// Made before this time.
    until: Option<DateTime<Utc>>,
}

impl ExecutionFilter {
    fn into_store(self) -> Result<Filter> {
        let correlation = self.correlation_id.map(|text| name::check_text("filter.correlationId", &text, 200));
        let workflow = self.workflow_id.map(|id| argument_id::<WorkflowId>("filter.workflowId", &id));
        let origin = self.origin_id.map(|id| argument_id::<ExecutionId>("filter.originId", &id));
        Ok(Filter {
            statuses: filter::distinct(self.status),
            workflow: workflow.transpose()?,
            mode: self.mode.map(Into::into),
            correlation_id: correlation.transpose()?,
            origin: origin.transpose()?,
            from: self.from.map(|at| time::check("filter.from", at)).transpose()?,
            until: self.until.map(|at| time::check("filter.until", at)).transpose()?,
        })
    }
}

/// How executions are ordered: by the time at which they were made.
#[derive(Debug, Clone, Copy, InputObject)]
pub struct ExecutionOrder {
    /// `DESC` is newest first.
    direction: OrderDirection,
}

/// One page of the executions that a filter lets through.
pub async fn page_of_executions(
    ctx: &Context<'_>,
    scope: Scope,
    args: PageArgs,
    filter: Filter,
    newest_first: bool,
) -> Result<ExecutionConnection> {
    let page = args.page(BY_AGE)?;
    let slice = ctx.engine().store().executions(scope, &filter, newest_first, &page).await?;
    Ok(ExecutionConnection::new(slice.map(Execution::from), total(ctx, scope, filter)))
}

/// One page of the executions that continue one, oldest first.
pub async fn page_of_continuations(
    ctx: &Context<'_>,
    origin: ExecutionId,
    args: PageArgs,
) -> Result<ExecutionConnection> {
    let scope = ctx.require(Role::Viewer)?;
    let filter = Filter { origin: Some(origin), ..Filter::default() };
    if args.last.is_some() || args.after.is_some() || args.before.is_some() {
        return page_of_executions(ctx, scope, args, filter, false).await;
    }
    // The first page, which a list of executions asks of each of them: read for all of them at once.
    let (size, _) = args.size()?;
    let mut found = ctx.loaders()?.load(FirstContinuations { origin, size }).await?.unwrap_or_default();
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let has_next = found.len() > size;
    found.truncate(size);
    let rows = found.into_iter().map(|execution| (Store::execution_cursor(&execution), execution)).collect();
    let slice = Slice { rows, has_previous: false, has_next };
    Ok(ExecutionConnection::new(slice.map(Execution::from), total(ctx, scope, filter)))
}

fn total(ctx: &Context<'_>, scope: Scope, filter: Filter) -> Total {
    Total::new(ctx, filter, move |store, filter| async move { store.count_executions(scope, &filter).await })
}

#[derive(Default)]
pub struct ExecutionQuery;

#[Object]
impl ExecutionQuery {
    /// The execution with this id; null if there is none in the workspace.
    async fn execution(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The execution's global id.")] id: ID,
    ) -> Result<Option<Execution>> {
        ctx.require(Role::Viewer)?;
        let id = argument_id::<ExecutionId>("id", &id)?;
        Ok(ctx.loaders()?.load(id).await?.map(Execution::from))
    }

    /// The workspace's executions.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    #[expect(clippy::too_many_arguments, reason = "a connection's arguments are GraphQL's own way to name them")]
    async fn executions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
        #[graphql(desc = "Which executions.")] filter: Option<ExecutionFilter>,
        #[graphql(desc = "In which order: newest first when absent.")] order_by: Option<ExecutionOrder>,
    ) -> Result<ExecutionConnection> {
        let scope = ctx.require(Role::Viewer)?;
        let newest_first = order_by.is_none_or(|order| order.direction == OrderDirection::Desc);
        let filter = filter.unwrap_or_default().into_store()?;
        page_of_executions(ctx, scope, PageArgs { first, after, last, before }, filter, newest_first).await
    }
}
