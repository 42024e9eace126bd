//! Finding and comparing deliverables.

use std::sync::Arc;

use async_graphql::{Context, ID, Object, SimpleObject};

use super::{
    Deliverable, DeliverableConnection,
    filter::{DeliverableFilter, DeliverableOrder, DeliverableOrderField},
    version::DeliverableVersion,
    words::{DeliverableStatus, DeliverableType},
};
use crate::{
    domain::{
        access::Scope,
        deliverable,
        id::{DeliverableId, ExecutionId},
        role::Role,
    },
    graphql::{
        caller::ContextExt,
        connection::{OrderDirection, PageArgs, Total, page_cost},
        error::{Fault, Result, argument_id, outcome},
        loaders::FirstDeliverables,
    },
    store::{
        Store,
        deliverables::{Counts, Filter, Sort},
        page::Slice,
    },
};

/// How two versions of a deliverable differ.
#[derive(SimpleObject)]
pub struct DeliverableComparison {
    /// The older one, or whichever was given first.
    from: DeliverableVersion,
    /// The other one.
    to: DeliverableVersion,
    /// Whether their content is the same.
    identical: bool,
    /// A unified diff, empty where they are the same; null where they cannot be compared as text.
    diff: Option<String>,
    /// How many lines were added.
    added_lines: Option<i32>,
    /// How many lines were removed.
    removed_lines: Option<i32>,
    /// Why there is no diff, if there is none.
    reason: Option<String>,
}

/// How many deliverables have a status.
#[derive(SimpleObject)]
pub struct DeliverableStatusCount {
    /// The status.
    status: DeliverableStatus,
    /// How many.
    count: i32,
}

/// How many deliverables are of a type.
#[derive(SimpleObject)]
pub struct DeliverableTypeCount {
    /// The type.
    #[graphql(name = "type")]
    kind: DeliverableType,
    /// How many.
    count: i32,
}

/// How many deliverables there are.
#[derive(SimpleObject)]
pub struct DeliverableCounts {
    /// How many have each status, also where none has.
    by_status: Vec<DeliverableStatusCount>,
    /// How many are of each type, also where none is.
    by_type: Vec<DeliverableTypeCount>,
}

impl From<Counts> for DeliverableCounts {
    fn from(counts: Counts) -> Self {
        let small = |count: Option<&u64>| i32::try_from(count.copied().unwrap_or(0)).unwrap_or(i32::MAX);
        let statuses = deliverable::Status::ALL.iter();
        let types = deliverable::Type::ALL.iter();
        Self {
            by_status: statuses
                .map(|status| DeliverableStatusCount {
                    status: (*status).into(),
                    count: small(counts.by_status.get(status)),
                })
                .collect(),
            by_type: types
                .map(|of| DeliverableTypeCount { kind: (*of).into(), count: small(counts.by_type.get(of)) })
                .collect(),
        }
    }
}

fn total(ctx: &Context<'_>, scope: Scope, filter: Filter) -> Total {
    Total::new(ctx, filter, move |store, filter| async move { store.count_deliverables(scope, &filter).await })
}

/// One page of an execution's deliverables, oldest first.
pub async fn page_of_execution(
    ctx: &Context<'_>,
    execution: ExecutionId,
    args: PageArgs,
) -> Result<DeliverableConnection> {
    let scope = ctx.require(Role::Viewer)?;
    let filter = Filter { execution: Some(execution), ..Filter::default() };
    let page = args.page(Sort::Age.name())?;
    let slice = if args.last.is_some() || args.after.is_some() || args.before.is_some() {
        ctx.engine().store().deliverables(scope, &filter, Sort::Age, false, &page).await?
    } else {
        // The first page, which a list of executions asks of each of them: read for all of them at once.
        let size = page.size;
        let mut found = ctx.loaders()?.load(FirstDeliverables { execution, size }).await?.unwrap_or_default();
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let has_next = found.len() > size;
        found.truncate(size);
        let rows = found.into_iter().map(|row| (Store::deliverable_cursor(&row), row)).collect();
        Slice { rows, has_previous: false, has_next }
    };
    Ok(DeliverableConnection::new(slice.map(Deliverable::from), total(ctx, scope, filter)))
}

#[derive(Default)]
pub struct DeliverableQuery;

#[Object]
impl DeliverableQuery {
    /// The deliverable with this id; null if there is none in the workspace.
    async fn deliverable(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The deliverable's global id.")] id: ID,
    ) -> Result<Option<Deliverable>> {
        ctx.require(Role::Viewer)?;
        let id = argument_id::<DeliverableId>("id", &id)?;
        Ok(ctx.loaders()?.load(id).await?.map(Deliverable))
    }

    /// The workspace's deliverables.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    #[expect(clippy::too_many_arguments, reason = "a connection's arguments are GraphQL's own way to name them")]
    async fn deliverables(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
        #[graphql(desc = "Which deliverables.")] filter: Option<DeliverableFilter>,
        #[graphql(desc = "In which order: newest first when absent.")] order_by: Option<DeliverableOrder>,
    ) -> Result<DeliverableConnection> {
        let scope = ctx.require(Role::Viewer)?;
        let newest = DeliverableOrder { field: DeliverableOrderField::Age, direction: OrderDirection::Desc };
        let order = order_by.unwrap_or(newest);
        let sort = Sort::from(order.field);
        let page = PageArgs { first, after, last, before }.page(sort.name())?;
        let filter = filter.unwrap_or_default().into_store()?;
        let descending = order.direction == OrderDirection::Desc;
        let slice = ctx.engine().store().deliverables(scope, &filter, sort, descending, &page).await?;
        Ok(DeliverableConnection::new(slice.map(Deliverable::from), total(ctx, scope, filter)))
    }

    /// How many deliverables there are of each status and type.
    async fn deliverable_counts(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which deliverables.")] filter: Option<DeliverableFilter>,
    ) -> Result<DeliverableCounts> {
        let scope = ctx.require(Role::Viewer)?;
        let filter = filter.unwrap_or_default().into_store()?;
        Ok(ctx.engine().store().deliverable_counts(scope, &filter).await?.into())
    }

    /// How two versions of a deliverable differ, line by line.
    #[graphql(complexity = "20 + child_complexity")]
    async fn compare_deliverable_versions(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The deliverable.")] deliverable_id: ID,
        #[graphql(desc = "The number of the version to begin with.")] from: i32,
        #[graphql(desc = "The number of the version to end with.")] to: i32,
    ) -> Result<DeliverableComparison> {
        let scope = ctx.require(Role::Viewer)?;
        let id = argument_id::<DeliverableId>("deliverableId", &deliverable_id)?;
        let compared = match outcome(ctx.engine().compare_versions(scope, id, from, to).await)? {
            Ok(compared) => compared,
            Err(errors) => {
                let message = errors.into_iter().next().map(|error| error.message);
                return Err(Fault::BadInput(message.unwrap_or_default()));
            }
        };
        let deliverable = ctx.loaders()?.load(id).await?.map(Deliverable).ok_or(Fault::Internal)?;
        let small = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        let counts = compared.difference.as_ref().map(|found| (small(found.added), small(found.removed)));
        let version = |version| DeliverableVersion { deliverable: deliverable.clone(), version: Arc::new(version) };
        let (from, to) = (&compared.from, &compared.to);
        Ok(DeliverableComparison {
            identical: from.sha256 == to.sha256 && from.url == to.url,
            from: version(compared.from.clone()),
            to: version(compared.to.clone()),
            added_lines: counts.map(|(added, _)| added),
            removed_lines: counts.map(|(_, removed)| removed),
            diff: compared.difference.map(|found| found.text),
            reason: compared.reason,
        })
    }
}
