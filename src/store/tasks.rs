//! Work that waits for somebody, or is in somebody's hands.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use sea_orm::{
    ColumnTrait, EntityTrait, FromQueryResult, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
};
use uuid::Uuid;

use super::{Result, Store, fixed::Fixed, micros};
use crate::domain::{
    access::Scope,
    id::{AgentId, ExecutionId, TaskId, WorkspaceId},
};

/// For how long a task can be given to somebody, in seconds.
pub const LONGEST_LEASE: i32 = 3600;

/// The latest end that a lease can have. One that ends later was given by a clock that has been set back since: its
/// holder may be long gone.
pub(super) fn latest_end(now: DateTime<Utc>) -> i64 {
    micros::from_time(now + TimeDelta::seconds(LONGEST_LEASE.into()) + CLOCKS_DIFFER)
}

/// By how much the clocks of several servers may differ.
const CLOCKS_DIFFER: TimeDelta = TimeDelta::minutes(1);

/// A step's work that waits for somebody, or is in somebody's hands.
#[derive(Debug, Clone)]
pub struct Task {
    pub id: TaskId,
    pub workspace: WorkspaceId,
    pub execution: ExecutionId,
    pub step: usize,
    pub attempt: u32,
    pub agent: AgentId,
    pub queue: Option<String>,
    /// The lease and the worker that holds it.
    pub holder: Option<(Uuid, String)>,
    pub lease_until: Option<DateTime<Utc>>,
    pub progress: Option<f64>,
}

impl From<entity::task::Model> for Task {
    fn from(row: entity::task::Model) -> Self {
        Self {
            id: TaskId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            execution: ExecutionId(row.execution_id),
            step: usize::try_from(row.step).unwrap_or(0),
            attempt: row.attempt.unsigned_abs(),
            agent: AgentId(row.agent_id),
            queue: row.queue,
            holder: row.lease_id.zip(row.worker_id),
            lease_until: row.lease_until.map(micros::to_time),
            progress: row.progress,
        }
    }
}

#[derive(FromQueryResult)]
struct Held {
    agent_id: Uuid,
    held: i64,
}

/// By their executions alone: with the workspace, SQLite would look through all of its queues.
pub(super) fn with_progress(executions: &[ExecutionId]) -> Select<entity::task::Entity> {
    use entity::task::{Column, Entity};
    let query = Entity::find().filter(Column::ExecutionId.is_in(executions.iter().map(|id| id.0)));
    query.filter(Column::Progress.is_not_null())
}

impl Store {
    pub async fn task(&self, scope: Scope, id: TaskId) -> Result<Option<Task>> {
        use entity::task::{Column, Entity};
        let query = Entity::find_by_id(id.0).filter(Column::WorkspaceId.eq(scope.workspace().0));
        Ok(self.find_one(query).await?.map(Task::from))
    }

    /// How far the steps of many executions are, as far as their workers say.
    pub async fn step_progress(
        &self,
        scope: Scope,
        ids: &[ExecutionId],
    ) -> Result<HashMap<ExecutionId, HashMap<usize, f64>>> {
        let mut found: HashMap<ExecutionId, HashMap<usize, f64>> = HashMap::new();
        let rows = self.find(with_progress(ids)).await?.into_iter();
        for task in rows.filter(|row| row.workspace_id == scope.workspace().0).map(Task::from) {
            found.entry(task.execution).or_default().extend(task.progress.map(|progress| (task.step, progress)));
        }
        Ok(found)
    }

    /// What waits in a queue, oldest first, of only some agents where that is said, but for these agents, which have
    /// enough.
    pub async fn waiting_tasks(
        &self,
        scope: Scope,
        queue: &str,
        only: Option<&[AgentId]>,
        except: &[AgentId],
        limit: u64,
    ) -> Result<Vec<Task>> {
        use entity::task::{Column, Entity};
        static WAITING: Fixed = Fixed::new();
        let build = || {
            let mut query = Entity::find()
                .filter(Column::WorkspaceId.eq(scope.workspace().0))
                .filter(Column::Queue.eq(queue))
                .filter(Column::State.eq("AVAILABLE"));
            if !except.is_empty() {
                query = query.filter(Column::AgentId.is_not_in(except.iter().map(|id| id.0)));
            }
            if let Some(only) = only {
                query = query.filter(Column::AgentId.is_in(only.iter().map(|id| id.0)));
            }
            query.order_by_asc(Column::AvailableAt).order_by_asc(Column::Id).limit(limit).build(self.0.backend)
        };
        let statement = if except.is_empty() && only.is_none() {
            let values = vec![scope.workspace().0.into(), queue.into(), "AVAILABLE".into(), limit.into()];
            WAITING.statement(self.0.backend, values, build)
        } else {
            build()
        };
        Ok(self.find_by::<Entity>(statement).await?.into_iter().map(Task::from).collect())
    }

    /// How much waits in a queue, of only some agents where that is said, counted up to a bound.
    pub async fn count_waiting_tasks(
        &self,
        scope: Scope,
        queue: &str,
        only: Option<&[AgentId]>,
        most: u64,
    ) -> Result<u64> {
        use entity::task::{Column, Entity};
        let mut query = Entity::find()
            .select_only()
            .column(Column::Id)
            .filter(Column::WorkspaceId.eq(scope.workspace().0))
            .filter(Column::Queue.eq(queue))
            .filter(Column::State.eq("AVAILABLE"))
            .limit(most);
        if let Some(only) = only {
            query = query.filter(Column::AgentId.is_in(only.iter().map(|id| id.0)));
        }
        Ok(query.count(self.read()).await?)
    }

    /// What waits for a server, oldest first, but for these agents, which have enough.
    pub async fn waiting_for_servers(&self, except: &[AgentId], limit: u64) -> Result<Vec<Task>> {
        use entity::task::{Column, Entity};
        let mut query = Entity::find().filter(Column::Queue.is_null()).filter(Column::State.eq("AVAILABLE"));
        if !except.is_empty() {
            query = query.filter(Column::AgentId.is_not_in(except.iter().map(|id| id.0)));
        }
        let query = query.order_by_asc(Column::AvailableAt).order_by_asc(Column::Id).limit(limit);
        Ok(query.all(&self.0.background).await?.into_iter().map(Task::from).collect())
    }

    /// How many tasks of each agent are in workers' hands.
    pub async fn held_tasks(&self, agents: &[AgentId]) -> Result<HashMap<AgentId, u64>> {
        use entity::task::{Column, Entity};
        let rows = Entity::find()
            .select_only()
            .column(Column::AgentId)
            .column_as(Column::Id.count(), "held")
            .filter(Column::AgentId.is_in(agents.iter().map(|id| id.0)))
            .filter(Column::State.eq("CLAIMED"))
            .group_by(Column::AgentId)
            .into_model::<Held>()
            .all(self.read())
            .await?;
        Ok(rows.into_iter().map(|row| (AgentId(row.agent_id), row.held.unsigned_abs())).collect())
    }

    /// Tasks whose holder did not answer in time.
    pub async fn expired_tasks(&self, now: DateTime<Utc>, limit: u64) -> Result<Vec<Task>> {
        use entity::task::{Column, Entity};
        let mut rows = Vec::new();
        for over in [Column::LeaseUntil.lte(micros::from_time(now)), Column::LeaseUntil.gt(latest_end(now))] {
            let query = Entity::find().filter(over).order_by_asc(Column::LeaseUntil);
            rows.extend(query.limit(limit - rows.len() as u64).all(&self.0.background).await?);
        }
        Ok(rows.into_iter().map(Task::from).collect())
    }

    /// When the next lease runs out.
    pub async fn next_lease_end(&self) -> Result<Option<DateTime<Utc>>> {
        use entity::task::{Column, Entity};
        let query = Entity::find()
            .select_only()
            .column(Column::LeaseUntil)
            .filter(Column::LeaseUntil.is_not_null())
            .order_by_asc(Column::LeaseUntil)
            .limit(1);
        Ok(query.into_tuple::<i64>().one(&self.0.background).await?.map(micros::to_time))
    }
}
