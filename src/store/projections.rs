//! Comparing what is derived from the journal with the journal, and deriving it anew.

use std::collections::HashMap;

use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, IntoActiveModel, ModelTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::Expr,
};
use uuid::Uuid;

use super::{
    Result, Store, grouped,
    journal::{self, Projection},
    scoped::of_workspace,
};
use crate::domain::{
    access::Scope,
    id::{ExecutionId, WorkspaceId},
};

/// The status and the digest of checkpoints, by execution.
pub type CheckpointStates = HashMap<ExecutionId, Vec<(Uuid, (String, String))>>;

/// The journal as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    pub entries: i64,
    pub last: i64,
}

impl Store {
    /// How many lines the journal has and which number the last one has: the same, if none is missing.
    pub async fn journal_extent(&self) -> Result<Extent> {
        use entity::journal::{Column, Entity};
        let query = Entity::find()
            .select_only()
            .column_as(Expr::cust("CAST(SUM(lines) AS bigint)"), "entries")
            .column_as(Column::Position.max(), "last");
        let row: Option<(Option<i64>, Option<i64>)> = query.into_tuple().one(self.read()).await?;
        let (entries, last) = row.unwrap_or_default();
        Ok(Extent { entries: entries.unwrap_or(0), last: last.unwrap_or(0) })
    }

    /// Executions of all workspaces after an id, in its order.
    pub async fn execution_ids(&self, after: Option<ExecutionId>, limit: u64) -> Result<Vec<ExecutionId>> {
        use entity::execution::{Column, Entity};
        let mut query = Entity::find().select_only().column(Column::Id);
        if let Some(after) = after {
            query = query.filter(Column::Id.gt(after.0));
        }
        let ids: Vec<Uuid> = query.order_by_asc(Column::Id).limit(limit).into_tuple().all(self.read()).await?;
        Ok(ids.into_iter().map(ExecutionId).collect())
    }

    /// Executions of a workspace after an id, in its order.
    pub async fn execution_ids_of(
        &self,
        workspace: WorkspaceId,
        after: Option<ExecutionId>,
        limit: u64,
    ) -> Result<Vec<ExecutionId>> {
        use entity::execution::{Column, Entity};
        let mut query = Entity::find().select_only().column(Column::Id).filter(Column::WorkspaceId.eq(workspace.0));
        if let Some(after) = after {
            query = query.filter(Column::Id.gt(after.0));
        }
        let ids: Vec<Uuid> = query.order_by_asc(Column::Id).limit(limit).into_tuple().all(self.read()).await?;
        Ok(ids.into_iter().map(ExecutionId).collect())
    }

    /// The status and the digest of each checkpoint of some executions, as queries show them.
    pub async fn checkpoint_states(&self, scope: Scope, executions: &[ExecutionId]) -> Result<CheckpointStates> {
        use entity::checkpoint::{Column, Entity};
        let query = of_workspace::<Entity>(scope).select_only().columns([
            Column::ExecutionId,
            Column::Id,
            Column::Status,
            Column::Digest,
        ]);
        let query = query.filter(Column::ExecutionId.is_in(executions.iter().map(|id| id.0)));
        let rows: Vec<(Uuid, Uuid, String, String)> = query.into_tuple().all(self.read()).await?;
        Ok(grouped(
            rows.into_iter().map(|(execution, id, status, digest)| (ExecutionId(execution), (id, (status, digest)))),
        ))
    }

    /// The rows of an execution as they are.
    pub async fn projection(&self, id: ExecutionId) -> Result<Option<Projection>> {
        use entity::{checkpoint, execution, learning_case, rule_evidence, step_run, task};
        let Some(execution) = execution::Entity::find_by_id(id.0).one(self.read()).await? else { return Ok(None) };
        let steps = step_run::Entity::find()
            .filter(step_run::Column::ExecutionId.eq(id.0))
            .order_by_asc(step_run::Column::Step);
        let tasks = task::Entity::find().filter(task::Column::ExecutionId.eq(id.0)).order_by_asc(task::Column::Step);
        let checkpoints = checkpoint::Entity::find()
            .filter(checkpoint::Column::ExecutionId.eq(id.0))
            .order_by_asc(checkpoint::Column::Id);
        let cases = learning_case::Entity::find()
            .filter(learning_case::Column::ExecutionId.eq(id.0))
            .order_by_asc(learning_case::Column::Id);
        let evidence = rule_evidence::Entity::find()
            .filter(rule_evidence::Column::ExecutionId.eq(id.0))
            .order_by_asc(rule_evidence::Column::CheckpointId)
            .order_by_asc(rule_evidence::Column::Rule);
        Ok(Some(Projection {
            execution,
            steps: steps.all(self.read()).await?,
            tasks: tasks.all(self.read()).await?,
            gone_tasks: Vec::new(),
            checkpoints: checkpoints.all(self.read()).await?,
            audiences: Vec::new(),
            cases: cases.all(self.read()).await?,
            evidence: evidence.all(self.read()).await?,
        }))
    }

    /// Puts derived rows in the place of those that are there. Not if the journal has gone on since they were derived.
    pub async fn replace_projection(&self, projection: Projection) -> Result<bool> {
        use entity::{checkpoint, execution, learning_case, rule_evidence, step_run, task};
        let (_turn, db) = self.begin_append().await?;
        let id = projection.execution.id;
        let last = journal::latest_seq(&db, id).await?;
        if last != Some(projection.execution.seq) {
            db.rollback().await?;
            return Ok(false);
        }
        step_run::Entity::delete_many().filter(step_run::Column::ExecutionId.eq(id)).exec(&db).await?;
        task::Entity::delete_many().filter(task::Column::ExecutionId.eq(id)).exec(&db).await?;
        checkpoint::Entity::delete_many().filter(checkpoint::Column::ExecutionId.eq(id)).exec(&db).await?;
        learning_case::Entity::delete_many().filter(learning_case::Column::ExecutionId.eq(id)).exec(&db).await?;
        rule_evidence::Entity::delete_many().filter(rule_evidence::Column::ExecutionId.eq(id)).exec(&db).await?;
        execution::Entity::update(projection.execution.into_active_model().reset_all()).exec(&db).await?;
        for step in projection.steps {
            step_run::Entity::insert(step.into_active_model()).exec_without_returning(&db).await?;
        }
        for task in projection.tasks {
            task::Entity::insert(task.into_active_model()).exec_without_returning(&db).await?;
        }
        journal::insert_audiences(&db, &projection.audiences).await?;
        for checkpoint in projection.checkpoints {
            checkpoint::Entity::insert(checkpoint.into_active_model()).exec_without_returning(&db).await?;
        }
        journal::insert_cases(&db, &projection.cases).await?;
        journal::insert_evidence(&db, &projection.evidence).await?;
        db.commit().await?;
        Ok(true)
    }
}

impl Projection {
    /// The same rows with the leases as they are there: the journal does not have them.
    pub fn with_leases_of(mut self, there: &Projection) -> Self {
        for task in &mut self.tasks {
            let same = there.tasks.iter().find(|other| task.lease_id.is_some() && other.lease_id == task.lease_id);
            if let Some(same) = same {
                task.lease_until = same.lease_until.or(task.lease_until);
                task.progress = same.progress;
            }
        }
        self
    }

    /// Where the rows that are there differ from the derived ones, in words. Leases are not in the journal.
    pub fn differences(&self, derived: &Projection) -> Vec<String> {
        let mut found = Vec::new();
        compare(
            "execution",
            std::slice::from_ref(&self.execution),
            std::slice::from_ref(&derived.execution),
            &mut found,
        );
        compare("step_run", &self.steps, &derived.steps, &mut found);
        let without_lease = |tasks: &[entity::task::Model]| -> Vec<entity::task::Model> {
            tasks.iter().map(|task| entity::task::Model { lease_until: None, progress: None, ..task.clone() }).collect()
        };
        compare("task", &without_lease(&self.tasks), &without_lease(&derived.tasks), &mut found);
        let id = |row: &entity::checkpoint::Model| row.id;
        compare("checkpoint", &sorted(&self.checkpoints, id), &sorted(&derived.checkpoints, id), &mut found);
        let id = |row: &entity::learning_case::Model| row.id;
        compare("learning_case", &sorted(&self.cases, id), &sorted(&derived.cases, id), &mut found);
        let id = |row: &entity::rule_evidence::Model| (row.checkpoint_id, row.rule.clone());
        compare("rule_evidence", &sorted(&self.evidence, id), &sorted(&derived.evidence, id), &mut found);
        found
    }
}

fn sorted<M: Clone, K: Ord>(rows: &[M], key: impl Fn(&M) -> K) -> Vec<M> {
    let mut rows = rows.to_vec();
    rows.sort_by_key(key);
    rows
}

fn compare<M: ModelTrait + PartialEq>(table: &str, there: &[M], derived: &[M], found: &mut Vec<String>) {
    use sea_orm::Iterable;
    if there.len() != derived.len() {
        found.push(format!("{table} has {} rows, the journal gives {}", there.len(), derived.len()));
        return;
    }
    for (there, derived) in there.iter().zip(derived) {
        for column in <<M::Entity as EntityTrait>::Column as Iterable>::iter() {
            let (value, expected) = (there.get(column), derived.get(column));
            if value != expected {
                let name = sea_orm::IdenStatic::as_str(&column);
                found.push(format!("{table}.{name} is {value}, the journal gives {expected}"));
            }
        }
    }
}
