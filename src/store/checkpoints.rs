//! Checkpoints, as their executions' journals add up.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select,
};
use uuid::Uuid;

use super::{
    Result, Store, grouped,
    journal::Entry,
    micros,
    page::{Cursor, Key, OrderBy, Page, Slice, cut},
    scoped::{by_id, of_workspace},
    together::{MOST_PARTS, together},
};
use crate::domain::{
    access::Scope,
    agent::RiskLevel,
    checkpoint::{Kind, Status},
    execution::Event,
    id::{AgentId, CheckpointId, ExecutionId, UserId, WorkflowId, WorkspaceId, first_id},
};

/// The kind of the event by which a checkpoint begins that people are asked about.
const REQUESTED: &str = "checkpoint.requested";
/// How many checkpoints of one execution are looked at together.
const MOST_REQUESTS: u64 = 10_000;
/// How many ways of asking people are looked at.
const MOST_ALIKE: u64 = 1_000;

/// A checkpoint without what only its journal has.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckpointRow {
    pub id: CheckpointId,
    pub workspace: WorkspaceId,
    pub execution: ExecutionId,
    pub workflow: WorkflowId,
    pub step: Option<usize>,
    pub agent: Option<AgentId>,
    pub kind: Kind,
    pub status: Status,
    /// Whether its execution is a test.
    pub test: bool,
    pub operation_type: String,
    pub description: String,
    pub risk_level: RiskLevel,
    pub confidence: Option<f64>,
    /// In millionths.
    pub estimated_cost: Option<i64>,
    pub items: Option<i32>,
    pub rule: Option<String>,
    pub policy: Option<i32>,
    /// Who may decide, by the name that [`Store::audiences`] gives; nobody where a rule approved it.
    pub audience: Option<String>,
    pub approvals: i32,
    pub approvals_needed: i32,
    pub assignee: Option<UserId>,
    pub revision: i32,
    pub digest: String,
    pub requested_at: DateTime<Utc>,
    pub deadline: Option<DateTime<Utc>>,
    pub escalated_at: Option<DateTime<Utc>>,
    pub reminders: i32,
    pub resolved_at: Option<DateTime<Utc>>,
    /// Whether people approved something else than was proposed.
    pub modified: bool,
    /// When somebody would not have approved what a rule did.
    pub overridden_at: Option<DateTime<Utc>>,
}

impl From<entity::checkpoint::Model> for CheckpointRow {
    fn from(row: entity::checkpoint::Model) -> Self {
        Self {
            id: CheckpointId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            execution: ExecutionId(row.execution_id),
            workflow: WorkflowId(row.workflow_id),
            step: row.step.and_then(|step| usize::try_from(step).ok()),
            agent: row.agent_id.map(AgentId),
            // The database's checks know these words.
            kind: row.kind.parse().unwrap_or(Kind::External),
            status: row.status.parse().unwrap_or(Status::Cancelled),
            test: row.test,
            operation_type: row.operation_type,
            description: row.description,
            risk_level: row.risk_level.parse().unwrap_or(RiskLevel::Critical),
            confidence: row.confidence,
            estimated_cost: row.estimated_cost,
            items: row.items,
            rule: row.rule,
            policy: row.policy,
            audience: row.audience,
            approvals: row.approvals,
            approvals_needed: row.approvals_needed,
            assignee: row.assignee_id.map(UserId),
            revision: row.revision,
            digest: row.digest,
            requested_at: micros::to_time(row.requested_at),
            deadline: row.deadline.map(micros::to_time),
            escalated_at: row.escalated_at.map(micros::to_time),
            reminders: row.reminders,
            resolved_at: row.resolved_at.map(micros::to_time),
            modified: row.modified,
            overridden_at: row.overridden_at.map(micros::to_time),
        }
    }
}

/// Which checkpoints a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub statuses: Vec<Status>,
    pub kinds: Vec<Kind>,
    pub risk_levels: Vec<RiskLevel>,
    pub workflow: Option<WorkflowId>,
    pub agent: Option<AgentId>,
    pub execution: Option<ExecutionId>,
    pub assignee: Option<UserId>,
    pub operation_type: Option<String>,
    /// Whose deadline is before this time.
    pub due_before: Option<DateTime<Utc>>,
    /// Only those about which one of these audiences decides, or that somebody is to look at.
    pub audiences: Option<Vec<String>>,
    /// Only those for which people are asked like this.
    pub alike: Option<Vec<Alike>>,
}

/// How people are asked: the same for many checkpoints.
#[derive(Debug, Clone, PartialEq, Eq, FromQueryResult)]
pub struct Alike {
    pub audience: Option<String>,
    pub rule: Option<String>,
    pub policy: Option<i32>,
    pub approvals_needed: i32,
}

impl Alike {
    fn condition(&self) -> Condition {
        use entity::checkpoint::Column;
        let audience = self.audience.as_ref().map_or(Column::Audience.is_null(), |name| Column::Audience.eq(name));
        let rule = self.rule.as_ref().map_or(Column::Rule.is_null(), |name| Column::Rule.eq(name));
        let policy = self.policy.map_or(Column::Policy.is_null(), |number| Column::Policy.eq(number));
        Condition::all().add(audience).add(rule).add(policy).add(Column::ApprovalsNeeded.eq(self.approvals_needed))
    }
}

/// How many wait of one audience and risk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    pub audience: Option<String>,
    pub risk: RiskLevel,
    pub count: u64,
}

/// The orders of lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// By the time at which they were asked for.
    Age,
    /// The riskiest first, then the oldest.
    Risk,
    /// Those that end first, then the oldest; those that wait for ever last.
    Deadline,
}

impl Sort {
    pub fn name(self) -> &'static str {
        match self {
            Sort::Age => "checkpoint.age",
            Sort::Risk => "checkpoint.risk.number",
            Sort::Deadline => "checkpoint.deadline.number",
        }
    }
}

/// By their executions alone: with the workspace or an order, SQLite would look through all of the workspace.
pub(super) fn of_executions(executions: &[ExecutionId]) -> Select<entity::checkpoint::Entity> {
    use entity::checkpoint::{Column, Entity};
    Entity::find().filter(Column::ExecutionId.is_in(executions.iter().map(|id| id.0)))
}

fn filtered(scope: Scope, filter: &Filter) -> Select<entity::checkpoint::Entity> {
    use entity::checkpoint::{Column, Entity};
    let mut query = of_workspace::<Entity>(scope);
    match filter.statuses.as_slice() {
        [] => {}
        // Partial indexes are found by exactly this.
        [one] => query = query.filter(Column::Status.eq(one.as_str())),
        many => query = query.filter(Column::Status.is_in(many.iter().map(|status| status.as_str()))),
    }
    if !filter.kinds.is_empty() {
        query = query.filter(Column::Kind.is_in(filter.kinds.iter().map(|kind| kind.as_str())));
    }
    if !filter.risk_levels.is_empty() {
        query = query.filter(Column::RiskLevel.is_in(filter.risk_levels.iter().map(|risk| risk.as_str())));
    }
    if let Some(workflow) = filter.workflow {
        query = query.filter(Column::WorkflowId.eq(workflow.0));
    }
    if let Some(agent) = filter.agent {
        query = query.filter(Column::AgentId.eq(agent.0));
    }
    if let Some(execution) = filter.execution {
        query = query.filter(Column::ExecutionId.eq(execution.0));
    }
    if let Some(assignee) = filter.assignee {
        query = query.filter(Column::AssigneeId.eq(assignee.0));
    }
    if let Some(operation_type) = &filter.operation_type {
        query = query.filter(Column::OperationType.eq(operation_type));
    }
    if let Some(due_before) = filter.due_before {
        query = query.filter(Column::DeadlineOrder.lt(micros::from_time(due_before)));
    }
    if let Some(audiences) = &filter.audiences {
        query = match audiences.as_slice() {
            [one] => query.filter(Column::Audience.eq(one)),
            many => query.filter(Column::Audience.is_in(many)),
        };
    }
    if let Some(alike) = &filter.alike {
        query = query.filter(alike.iter().fold(Condition::any(), |any, one| any.add(one.condition())));
        // An empty list fits nothing.
        if alike.is_empty() {
            query = query.filter(Column::Id.is_null());
        }
    }
    query
}

/// Which proposals of the past are looked at again.
#[derive(Debug, Clone, Copy, Default)]
pub struct Past {
    pub from: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
    pub workflow: Option<WorkflowId>,
    /// Those of tests are left out otherwise.
    pub tests: bool,
}

/// Those above an id, or all: whoever goes on above one has begun where the time does.
fn of_the_past(scope: Scope, past: &Past, above: Option<CheckpointId>) -> Select<entity::checkpoint::Entity> {
    use entity::checkpoint::Column;
    let filter = Filter { kinds: vec![Kind::Step, Kind::External], workflow: past.workflow, ..Filter::default() };
    let mut query = filtered(scope, &filter);
    // Ids begin with the time. Of two bounds below, SQLite would follow one, and read everything up to the other again
    // for each page.
    if let Some(above) = above {
        query = query.filter(Column::Id.gt(above.0));
    } else if let Some(from) = past.from {
        query = query.filter(Column::Id.gte(first_id(from)));
    }
    if let Some(until) = past.until {
        query = query.filter(Column::Id.lt(first_id(until)));
    }
    if !past.tests {
        query = query.filter(Column::Test.eq(false));
    }
    query
}

/// The page's rows of each of several audiences: each is found by an index in the right order, so that it does not
/// matter how many others wait. Nothing if there is only one, or none is asked for.
fn of_each_audience(
    scope: Scope,
    filter: &Filter,
    order: OrderBy<entity::checkpoint::Column>,
    page: &Page,
) -> Option<Select<entity::checkpoint::Entity>> {
    use entity::checkpoint::{Column, Entity};
    let audiences = filter.audiences.as_ref().filter(|audiences| (2..=MOST_PARTS).contains(&audiences.len()))?;
    let parts = audiences.iter().map(|one| {
        let filter = Filter { audiences: Some(vec![one.clone()]), ..filter.clone() };
        let query = cut(filtered(scope, &filter), order, page).select_only().column(Column::Id);
        QueryTrait::into_query(query)
    });
    Some(Entity::find().filter(Column::Id.in_subquery(together(parts, "id")?)))
}

impl Store {
    pub async fn checkpoints(
        &self,
        scope: Scope,
        filter: &Filter,
        sort: Sort,
        descending: bool,
        page: &Page,
    ) -> Result<Slice<CheckpointRow>> {
        use entity::checkpoint::Column;
        let column = match sort {
            Sort::Age => Column::Id,
            Sort::Risk => Column::RiskOrder,
            Sort::Deadline => Column::DeadlineOrder,
        };
        let order = OrderBy { name: sort.name(), column, id: Column::Id, descending };
        let query = of_each_audience(scope, filter, order, page).unwrap_or_else(|| filtered(scope, filter));
        Ok(self.page(query, order, page).await?.map(CheckpointRow::from))
    }

    pub async fn count_checkpoints(&self, scope: Scope, filter: &Filter) -> Result<u64> {
        Ok(filtered(scope, filter).count(self.read()).await?)
    }

    /// How many wait, by who decides about them and how risky they are: one look at an index answers all questions.
    pub async fn count_pending(&self, scope: Scope, filter: &Filter) -> Result<Vec<Waiting>> {
        use entity::checkpoint::Column;
        let query = filtered(scope, &Filter { statuses: vec![Status::Pending], ..filter.clone() });
        let query = query.select_only().columns([Column::Audience, Column::RiskOrder]);
        let query = query.column_as(Column::Id.count(), "n").group_by(Column::Audience).group_by(Column::RiskOrder);
        let rows: Vec<(Option<String>, i32, i64)> = query.into_tuple().all(self.read()).await?;
        let risk = |order: i32| RiskLevel::ALL.iter().rev().nth(usize::try_from(order).ok()?).copied();
        let waiting = |(audience, order, count): (Option<String>, i32, i64)| {
            Some(Waiting { audience, risk: risk(order)?, count: count.unsigned_abs() })
        };
        Ok(rows.into_iter().filter_map(waiting).collect())
    }

    /// The ways in which people are asked about what waits, each with one checkpoint of its kind.
    pub async fn pending_alike(&self, scope: Scope) -> Result<Vec<(Alike, CheckpointRow)>> {
        use entity::checkpoint::Column;
        let pending = Filter { statuses: vec![Status::Pending], ..Filter::default() };
        let columns = [Column::Audience, Column::Rule, Column::Policy, Column::ApprovalsNeeded];
        let mut query = filtered(scope, &pending).select_only().columns(columns);
        for column in columns {
            query = query.group_by(column);
        }
        let groups = query.limit(MOST_ALIKE).into_model::<Alike>().all(self.read()).await?;
        let mut found = Vec::new();
        for alike in groups {
            let one = filtered(scope, &pending).filter(alike.condition()).order_by_asc(Column::Id).one(self.read());
            if let Some(row) = one.await? {
                found.push((alike, CheckpointRow::from(row)));
            }
        }
        Ok(found)
    }

    pub async fn checkpoints_by_id(
        &self,
        scope: Scope,
        ids: &[CheckpointId],
    ) -> Result<HashMap<CheckpointId, CheckpointRow>> {
        let rows = self.find(by_id::<entity::checkpoint::Entity>(scope, ids.iter().map(|id| id.0))).await?.into_iter();
        Ok(rows.map(|row| (CheckpointId(row.id), CheckpointRow::from(row))).collect())
    }

    pub async fn checkpoint(&self, scope: Scope, id: CheckpointId) -> Result<Option<CheckpointRow>> {
        Ok(self.checkpoints_by_id(scope, &[id]).await?.remove(&id))
    }

    /// The checkpoints of executions, each list in the order in which they were asked for.
    pub async fn checkpoints_of(
        &self,
        scope: Scope,
        executions: &[ExecutionId],
    ) -> Result<HashMap<ExecutionId, Vec<CheckpointRow>>> {
        let mut rows = self.find(of_executions(executions)).await?;
        rows.retain(|row| row.workspace_id == scope.workspace().0);
        rows.sort_by_key(|row| row.id);
        let rows = rows.into_iter().map(CheckpointRow::from);
        Ok(grouped(rows.map(|row| (row.execution, row))))
    }

    /// Proposals of a time, oldest first, above an id: what people or rules decided on. Questions are none.
    pub async fn past_checkpoints(
        &self,
        scope: Scope,
        past: &Past,
        above: Option<CheckpointId>,
        limit: u64,
    ) -> Result<Vec<CheckpointRow>> {
        use entity::checkpoint::Column;
        let query = of_the_past(scope, past, above);
        let rows = query.order_by_asc(Column::Id).limit(limit).all(self.read()).await?;
        Ok(rows.into_iter().map(CheckpointRow::from).collect())
    }

    pub async fn count_past_checkpoints(&self, scope: Scope, past: &Past) -> Result<u64> {
        Ok(of_the_past(scope, past, None).count(self.read()).await?)
    }

    /// Checkpoints with ids above one, oldest first, each with the event by which it was asked for. Those that a rule
    /// approved have none.
    pub async fn requests_of_checkpoints(
        &self,
        scope: Scope,
        filter: &Filter,
        above: Option<CheckpointId>,
        limit: u64,
    ) -> Result<Vec<(CheckpointId, Option<Entry>)>> {
        let after = above.map(|id| Cursor::new(Sort::Age.name(), Key::Id(id.0), id.0));
        let page = Page { size: limit, from_end: false, after, before: None };
        let found = self.checkpoints(scope, filter, Sort::Age, false, &page).await?;
        let rows: Vec<CheckpointRow> = found.rows.into_iter().map(|(_, row)| row).collect();
        let mut executions: Vec<ExecutionId> = rows.iter().map(|row| row.execution).collect();
        executions.dedup();
        let lines = self.first_journal_lines(scope, &executions, &[REQUESTED], MOST_REQUESTS).await?;
        let mut requests: HashMap<Uuid, Entry> = HashMap::new();
        for line in lines {
            if let Ok(Event::Checkpoint(event)) = &line.event {
                requests.insert(event.checkpoint(), line);
            }
        }
        Ok(rows.into_iter().map(|row| (row.id, requests.remove(&row.id.0))).collect())
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::DbBackend;

    use super::*;

    /// With two, each page of a back-test would read all pages before it again on SQLite.
    #[test]
    fn a_page_of_the_past_has_one_bound_below() {
        let scope = Scope::system(WorkspaceId(Uuid::nil()));
        let past = Past { from: Some(DateTime::UNIX_EPOCH), until: None, workflow: None, tests: false };
        for (above, bound) in [(None, r#""id" >= "#), (Some(CheckpointId(Uuid::max())), r#""id" > "#)] {
            let sql = of_the_past(scope, &past, above).build(DbBackend::Sqlite).sql;
            assert!(sql.contains(bound), "{sql}");
            assert_eq!(sql.matches(r#""id" >"#).count(), 1, "{sql}");
        }
    }
}
