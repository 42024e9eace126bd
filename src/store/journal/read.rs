//! Reading the journal.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    sea_query::{ExprTrait, Query},
};

use super::packing::unpack;
use crate::{
    domain::{
        access::{Actor, Scope},
        execution::Event,
        id::{ExecutionId, WorkflowId, WorkspaceId},
    },
    store::{
        Error, Range, Result, Store, actor,
        fixed::Fixed,
        grouped, micros,
        together::{MOST_PARTS, together},
    },
};

/// One line of the journal.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its place in the journal of the whole server: what cursors are made of.
    pub position: i64,
    pub workspace: WorkspaceId,
    pub execution: ExecutionId,
    /// Its number within the execution; comments have none.
    pub seq: Option<u64>,
    pub at: DateTime<Utc>,
    pub actor: Actor,
    /// What happened, if this version of the server knows it.
    pub event: std::result::Result<Event, Unknown>,
}

/// An event that a newer version of the server wrote.
#[derive(Debug, Clone)]
pub struct Unknown {
    pub kind: String,
    pub data: String,
    pub error: String,
}

impl Entry {
    pub fn kind(&self) -> &str {
        match &self.event {
            Ok(event) => event.kind(),
            Err(unknown) => &unknown.kind,
        }
    }
}

impl From<entity::journal::Model> for Entry {
    fn from(row: entity::journal::Model) -> Self {
        let event = match unpack(row.data, row.packed.as_deref()) {
            Ok(data) => Event::read(&row.kind, &data).map_err(|error| (data, error)),
            Err(error) => Err((String::new(), error)),
        };
        Self {
            position: row.position,
            workspace: WorkspaceId(row.workspace_id),
            execution: ExecutionId(row.execution_id),
            seq: row.seq.map(i64::unsigned_abs),
            at: micros::to_time(row.at),
            actor: actor::read(&row.actor_kind, row.actor_id),
            event: event.map_err(|(data, error)| Unknown { kind: row.kind, data, error }),
        }
    }
}

/// Which lines of the journal.
#[derive(Debug, Clone, Default)]
pub struct JournalFilter {
    pub execution: Option<ExecutionId>,
    pub workflow: Option<WorkflowId>,
    pub kinds: Vec<&'static str>,
}

fn filtered(scope: Scope, filter: &JournalFilter) -> Select<entity::journal::Entity> {
    use entity::journal::{Column, Entity};
    let mut own = Query::select();
    own.column(entity::execution::Column::Id)
        .from(entity::execution::Entity)
        .and_where(entity::execution::Column::WorkspaceId.eq(scope.workspace().0));
    let mut query = match filter.execution {
        // The workspace is left to the execution: SQLite would otherwise read on through the whole workspace.
        Some(execution) => {
            own.and_where(entity::execution::Column::Id.eq(execution.0));
            Entity::find().filter(Column::ExecutionId.in_subquery(own.clone()))
        }
        None => Entity::find().filter(Column::WorkspaceId.eq(scope.workspace().0)),
    };
    if let Some(workflow) = filter.workflow {
        own.and_where(entity::execution::Column::WorkflowId.eq(workflow.0));
        query = query.filter(Column::ExecutionId.in_subquery(own));
    }
    if !filter.kinds.is_empty() {
        query = query.filter(Column::Kind.is_in(filter.kinds.iter().copied()));
        if filter.kinds.iter().all(|kind| Event::is_kind_of_comment(kind)) {
            // Comments have an index of their own, which is found by this alone.
            query = query.filter(Column::Seq.is_null());
        }
    }
    query
}

impl Store {
    pub async fn journal(&self, scope: Scope, filter: &JournalFilter, range: Range) -> Result<Vec<Entry>> {
        let query = range.of(filtered(scope, filter), entity::journal::Column::Position);
        let rows = if filter.kinds.is_empty() && filter.workflow.is_none() {
            self.find(query).await?
        } else {
            // What matches may be far apart.
            query.all(self.read()).await?
        };
        Ok(rows.into_iter().map(Entry::from).collect())
    }

    pub async fn count_journal(&self, scope: Scope, filter: &JournalFilter) -> Result<u64> {
        Ok(filtered(scope, filter).count(self.read()).await?)
    }

    /// Lines of all workspaces, for the server's own streams.
    pub async fn journal_of_server(&self, above: i64, up_to: i64, limit: u64) -> Result<Vec<Arc<Entry>>> {
        let range = Range { above: Some(above), below: Some(up_to + 1), newest_first: false, limit };
        let query = range.of(entity::journal::Entity::find(), entity::journal::Column::Position);
        let rows = query.all(&self.0.background).await?;
        Ok(rows.into_iter().map(|row| Arc::new(Entry::from(row))).collect())
    }

    /// All numbered events of an execution, in order, and who asked for it.
    pub async fn history(&self, execution: ExecutionId) -> Result<Vec<Entry>> {
        use entity::journal::{Column, Entity};
        static HISTORY: Fixed = Fixed::new();
        let statement = HISTORY.statement(self.0.backend, vec![execution.0.into()], || {
            Entity::find()
                .filter(Column::ExecutionId.eq(execution.0))
                .filter(Column::Seq.is_not_null())
                .order_by_asc(Column::Seq)
                .build(self.0.backend)
        });
        Ok(self.find_by::<Entity>(statement).await?.into_iter().map(Entry::from).collect())
    }

    /// All numbered events of many executions, each list in order.
    pub async fn histories(&self, scope: Scope, ids: &[ExecutionId]) -> Result<HashMap<ExecutionId, Vec<Entry>>> {
        self.events_of(scope, ids, &[]).await
    }

    /// The numbered events of many executions that are of these kinds, or of any, each list in order.
    pub async fn events_of(
        &self,
        scope: Scope,
        ids: &[ExecutionId],
        kinds: &[&'static str],
    ) -> Result<HashMap<ExecutionId, Vec<Entry>>> {
        use entity::{
            execution,
            journal::{Column, Entity},
        };
        // The workspace is left to the executions: SQLite would otherwise read through the whole workspace.
        let own = Query::select()
            .column(execution::Column::Id)
            .from(execution::Entity)
            .and_where(execution::Column::WorkspaceId.eq(scope.workspace().0))
            .and_where(execution::Column::Id.is_in(ids.iter().map(|id| id.0)))
            .to_owned();
        let mut query = Entity::find()
            .filter(Column::ExecutionId.in_subquery(own))
            .filter(Column::Seq.is_not_null())
            .order_by_asc(Column::ExecutionId)
            .order_by_asc(Column::Seq);
        if !kinds.is_empty() {
            query = query.filter(Column::Kind.is_in(kinds.iter().copied()));
        }
        let entries = query.all(self.read()).await?.into_iter().map(Entry::from);
        Ok(grouped(entries.map(|entry| (entry.execution, entry))))
    }

    /// The first lines of many executions, each up to a limit, in the order of the journal.
    pub async fn first_journal_lines(
        &self,
        scope: Scope,
        ids: &[ExecutionId],
        kinds: &[&'static str],
        limit: u64,
    ) -> Result<Vec<Entry>> {
        use entity::journal::{Column, Entity};
        let mut lines = Vec::new();
        for chunk in ids.chunks(MOST_PARTS) {
            let parts = chunk.iter().map(|id| {
                let filter = JournalFilter { execution: Some(*id), workflow: None, kinds: kinds.to_vec() };
                let range = Range { above: None, below: None, newest_first: false, limit };
                let query = range.of(filtered(scope, &filter), Column::Position);
                QueryTrait::into_query(query.select_only().column(Column::Position))
            });
            let Some(first) = together(parts, "position") else { continue };
            let query = Entity::find().filter(Column::Position.in_subquery(first)).order_by_asc(Column::Position);
            lines.extend(query.all(self.read()).await?.into_iter().map(Entry::from));
        }
        Ok(lines)
    }

    /// The lines of an execution with these numbers.
    pub async fn journal_lines(&self, scope: Scope, wanted: &[(ExecutionId, u64)]) -> Result<Vec<Entry>> {
        use entity::journal::{Column, Entity};
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let mut any = sea_orm::Condition::any();
        for (execution, seq) in wanted {
            let seq = i64::try_from(*seq).map_err(|_| Error::Unexpected(format!("the number {seq} is too large")))?;
            any = any.add(Column::ExecutionId.eq(execution.0).and(Column::Seq.eq(seq)));
        }
        let query = Entity::find().filter(Column::WorkspaceId.eq(scope.workspace().0)).filter(any);
        Ok(query.all(self.read()).await?.into_iter().map(Entry::from).collect())
    }
}
