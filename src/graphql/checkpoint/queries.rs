//! Finding checkpoints.

use async_graphql::{Context, Enum, ID, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};

use super::{
    Checkpoint, CheckpointConnection,
    words::{CheckpointKind, CheckpointStatus},
};
use crate::{
    domain::{
        access::Scope,
        agent,
        checkpoint::Status,
        id::{AgentId, CheckpointId, ExecutionId, UserId, WorkflowId},
        name,
        role::Role,
        time,
    },
    graphql::{
        agent::RiskLevel,
        caller::ContextExt,
        connection::{OrderDirection, PageArgs, Total, page_cost},
        error::{Fault, Result, argument_id, outcome},
    },
    store::checkpoints::{Filter, Sort, Waiting},
};

/// Longer than any word for a kind of action.
const LONGEST_WORD: usize = 100;

/// Which checkpoints a list shows: those that fit everything given.
#[derive(Debug, Default, InputObject)]
pub struct CheckpointFilter {
    /// In any of these states.
    status: Option<Vec<CheckpointStatus>>,
    /// Of any of these kinds.
    kind: Option<Vec<CheckpointKind>>,
    /// Of any of these risk levels.
    risk_level: Option<Vec<RiskLevel>>,
    /// Of executions of this workflow.
    workflow_id: Option<ID>,
    /// Of this agent.
    agent_id: Option<ID>,
    /// Of this execution.
    execution_id: Option<ID>,
    /// That this person looks at.
    assignee_id: Option<ID>,
    /// Of exactly this operation type.
    operation_type: Option<String>,
    /// Whose deadline is before this time.
    due_before: Option<DateTime<Utc>>,
    /// Only what the caller is asked to decide, or may decide in the place of somebody who is away: PENDING, unless
    /// `status` says otherwise. False is the same as absent.
    mine: Option<bool>,
    /// Only what waits for people of whom there are not enough, so that no one can approve it: PENDING. An admin can give
    /// it to others with `reassignCheckpoint`. False is the same as absent. Needs the role ADMIN.
    stuck: Option<bool>,
}

/// Each once: a database takes only so many values.
fn each_once<G, D: From<G> + PartialEq>(given: Option<Vec<G>>) -> Vec<D> {
    let mut values = Vec::new();
    for value in given.unwrap_or_default().into_iter().map(D::from) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

impl CheckpointFilter {
    async fn into_store(self, ctx: &Context<'_>, scope: Scope) -> Result<Filter> {
        let word = self.operation_type.map(|text| name::check_text("filter.operationType", &text, LONGEST_WORD));
        let mut filter = Filter {
            statuses: each_once(self.status),
            kinds: each_once(self.kind),
            risk_levels: each_once::<_, agent::RiskLevel>(self.risk_level),
            workflow: self.workflow_id.map(|id| argument_id::<WorkflowId>("filter.workflowId", &id)).transpose()?,
            agent: self.agent_id.map(|id| argument_id::<AgentId>("filter.agentId", &id)).transpose()?,
            execution: self.execution_id.map(|id| argument_id::<ExecutionId>("filter.executionId", &id)).transpose()?,
            assignee: self.assignee_id.map(|id| argument_id::<UserId>("filter.assigneeId", &id)).transpose()?,
            operation_type: word.transpose()?,
            due_before: self.due_before.map(|at| time::check("filter.dueBefore", at)).transpose()?,
            audiences: None,
            alike: None,
        };
        if self.stuck == Some(true) {
            ctx.require(Role::Admin)?;
            filter.alike = Some(outcome(ctx.engine().stuck_checkpoints(scope).await)?.map_err(|_| Fault::Internal)?);
            filter.statuses = vec![Status::Pending];
        }
        if self.mine == Some(true) {
            filter.audiences = Some(own_audiences(ctx, scope).await?);
            if filter.statuses.is_empty() {
                filter.statuses.push(Status::Pending);
            }
        }
        Ok(filter)
    }
}

/// The audiences that the caller belongs to now.
pub async fn own_audiences(ctx: &Context<'_>, scope: Scope) -> Result<Vec<String>> {
    outcome(ctx.engine().audiences_of_caller(scope).await)?.map_err(|_| Fault::Internal)
}

/// What checkpoints can be ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Sort")]
pub enum CheckpointOrderField {
    /// When it was asked for: `ASC` is oldest first.
    Age,
    /// How much harm it can do, then the age: `DESC` is riskiest first, and of those the oldest.
    Risk,
    /// Until when people may decide, then the age: `ASC` is what ends first. What waits for ever comes last then.
    Deadline,
}

/// How checkpoints are ordered.
#[derive(Debug, Clone, Copy, InputObject)]
pub struct CheckpointOrder {
    /// By what.
    field: CheckpointOrderField,
    /// Which way.
    direction: OrderDirection,
}

impl CheckpointOrder {
    /// Whether it is the other way round than rows are kept: there, the riskiest come first.
    fn descending(self) -> bool {
        (self.direction == OrderDirection::Desc) != (self.field == CheckpointOrderField::Risk)
    }
}

/// How many wait at one risk level.
#[derive(SimpleObject)]
pub struct RiskCount {
    /// The risk level.
    risk_level: RiskLevel,
    /// How many wait.
    count: i32,
}

/// How many checkpoints wait.
pub struct CheckpointCounts {
    scope: Scope,
    /// The audiences of `mine`, if only those are counted.
    audiences: Option<Vec<String>>,
    waiting: Vec<Waiting>,
}

impl CheckpointCounts {
    fn count(&self, wanted: impl Fn(&Waiting) -> bool) -> i32 {
        let sum: u64 = self.waiting.iter().filter(|waiting| wanted(waiting)).map(|waiting| waiting.count).sum();
        i32::try_from(sum).unwrap_or(i32::MAX)
    }
}

/// How many checkpoints wait.
#[Object]
impl CheckpointCounts {
    /// How many wait for people.
    async fn pending(&self) -> i32 {
        self.count(|_| true)
    }

    /// How many of them the caller is asked to decide.
    async fn mine(&self, ctx: &Context<'_>) -> Result<i32> {
        let audiences = match &self.audiences {
            Some(audiences) => audiences.clone(),
            None => own_audiences(ctx, self.scope).await?,
        };
        Ok(self.count(|waiting| waiting.audience.as_ref().is_some_and(|audience| audiences.contains(audience))))
    }

    /// How many wait at each risk level, the riskiest first, also where none does.
    async fn by_risk(&self) -> Vec<RiskCount> {
        let levels = agent::RiskLevel::ALL.iter().rev();
        let count = |risk: &agent::RiskLevel| self.count(|waiting| waiting.risk == *risk);
        levels.map(|risk| RiskCount { risk_level: (*risk).into(), count: count(risk) }).collect()
    }
}

#[derive(Default)]
pub struct CheckpointQuery;

#[Object]
impl CheckpointQuery {
    /// The checkpoint with this id; null if there is none in the workspace.
    async fn checkpoint(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The checkpoint's global id.")] id: ID,
    ) -> Result<Option<Checkpoint>> {
        ctx.require(Role::Viewer)?;
        let id = argument_id::<CheckpointId>("id", &id)?;
        Ok(ctx.loaders()?.load(id).await?.map(Checkpoint::from))
    }

    /// The workspace's checkpoints.
    #[graphql(complexity = "page_cost(first, last, child_complexity)")]
    #[expect(clippy::too_many_arguments, reason = "a connection's arguments are GraphQL's own way to name them")]
    async fn checkpoints(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How many from the start: 1 to 100, 50 when absent.")] first: Option<i32>,
        #[graphql(desc = "Only what comes after this cursor.")] after: Option<String>,
        #[graphql(desc = "How many from the end, instead of `first`.")] last: Option<i32>,
        #[graphql(desc = "Only what comes before this cursor.")] before: Option<String>,
        #[graphql(desc = "Which checkpoints.")] filter: Option<CheckpointFilter>,
        #[graphql(desc = "In which order: oldest first when absent.")] order_by: Option<CheckpointOrder>,
    ) -> Result<CheckpointConnection> {
        let scope = ctx.require(Role::Viewer)?;
        let order =
            order_by.unwrap_or(CheckpointOrder { field: CheckpointOrderField::Age, direction: OrderDirection::Asc });
        let sort = Sort::from(order.field);
        let page = PageArgs { first, after, last, before }.page(sort.name())?;
        let filter = filter.unwrap_or_default().into_store(ctx, scope).await?;
        let slice = ctx.engine().store().checkpoints(scope, &filter, sort, order.descending(), &page).await?;
        let total =
            Total::new(ctx, filter, move |store, filter| async move { store.count_checkpoints(scope, &filter).await });
        Ok(CheckpointConnection::new(slice.map(Checkpoint::from), total))
    }

    /// How many checkpoints wait, for badges.
    async fn checkpoint_counts(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "Which checkpoints. Whatever `status` says, those that are PENDING are counted.")]
        filter: Option<CheckpointFilter>,
    ) -> Result<CheckpointCounts> {
        let scope = ctx.require(Role::Viewer)?;
        let filter = filter.unwrap_or_default().into_store(ctx, scope).await?;
        let asked_for = ctx.look_ahead();
        let of_all = asked_for.field("pending").exists() || asked_for.field("byRisk").exists();
        let filter = match filter.audiences {
            // Nobody has to look at what waits for others.
            None if !of_all => Filter { audiences: Some(own_audiences(ctx, scope).await?), ..filter },
            _ => filter,
        };
        let waiting = ctx.engine().store().count_pending(scope, &filter).await?;
        Ok(CheckpointCounts { scope, audiences: filter.audiences, waiting })
    }
}
