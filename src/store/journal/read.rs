//! Reading the journal.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Utc};
use entity::journal::{Column, Entity, Model};
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
    sea_query::{Expr, ExprTrait, LikeExpr, Query},
};

use super::blocks::{self, MOST_LINES, entries};
use crate::{
    domain::{
        access::{Actor, Scope},
        execution::Event,
        id::{ExecutionId, WorkflowId, WorkspaceId},
    },
    store::{
        Error, Range, Result, Store,
        fixed::Fixed,
        grouped,
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

/// Which lines of the journal.
#[derive(Debug, Clone, Default)]
pub struct JournalFilter {
    pub execution: Option<ExecutionId>,
    pub workflow: Option<WorkflowId>,
    pub kinds: Vec<&'static str>,
}

/// The rows that have such lines, perhaps among others.
fn filtered(scope: Scope, filter: &JournalFilter) -> Select<Entity> {
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
    query.filter(of_kinds(&filter.kinds))
}

/// Rows with a line of one of these kinds; all where none is named.
fn of_kinds(kinds: &[&str]) -> Condition {
    if kinds.is_empty() {
        return Condition::all();
    }
    let alone = Column::Kind.is_in(kinds.iter().copied());
    if kinds.iter().all(|kind| Event::is_kind_of_comment(kind)) {
        // Comments stand alone, and have an index of their own, which is found by this.
        return Condition::all().add(alone).add(Column::Seq.is_null());
    }
    let among = kinds.iter().map(|kind| {
        let pattern = LikeExpr::new(format!("% {} %", kind.replace('_', "\\_"))).escape('\\');
        Expr::cust("' ' || journal.kind || ' '").like(pattern)
    });
    let among = Condition::all().add(Column::Lines.gt(1)).add(among.fold(Condition::any(), Condition::add));
    Condition::any().add(alone).add(among)
}

fn is_of(kinds: &[&str], kind: &str) -> bool {
    kinds.is_empty() || kinds.contains(&kind)
}

/// The rows with lines in a part of the journal. The first and the last of them may have lines that are not in it.
fn rows_of(range: Range, query: Select<Entity>) -> Select<Entity> {
    // The row in which the part begins may have nothing that is wanted.
    let wide = Range { below: None, limit: range.limit.saturating_add(1), ..range };
    let query = query.apply_if(range.below, |query, below| {
        let first = Expr::col((Entity, Column::Position)).sub(Expr::col((Entity, Column::Lines))).add(1);
        // The first position is what counts, but only the last one is found by an index.
        query.filter(Column::Position.lt(below.saturating_add(MOST_LINES as i64 - 1))).filter(first.lt(below))
    });
    wide.of(query, Column::Position)
}

/// The lines of such rows that are really meant, in the order of the part.
fn lines_of(range: Range, kinds: &[&str], rows: Vec<Model>) -> Vec<Entry> {
    let lines = rows.into_iter().flat_map(|row| {
        let mut lines = entries(row);
        if range.newest_first {
            lines.reverse();
        }
        lines
    });
    let within =
        |position| range.above.is_none_or(|above| position > above) && range.below.is_none_or(|below| position < below);
    let wanted = lines.filter(|line| within(line.position) && is_of(kinds, line.kind()));
    wanted.take(usize::try_from(range.limit).unwrap_or(usize::MAX)).collect()
}

impl Store {
    /// How many comments, such as log lines, an execution has, counted up to a number.
    pub async fn count_comments(&self, execution: ExecutionId, most: u64) -> Result<u64> {
        let some = Entity::find()
            .select_only()
            .column(Column::Position)
            .filter(Column::ExecutionId.eq(execution.0))
            .filter(Column::Seq.is_null())
            .limit(most);
        Ok(some.count(self.read()).await?)
    }

    pub async fn journal(&self, scope: Scope, filter: &JournalFilter, range: Range) -> Result<Vec<Entry>> {
        let query = rows_of(range, filtered(scope, filter));
        let rows = if filter.kinds.is_empty() && filter.workflow.is_none() {
            self.find(query).await?
        } else {
            // What matches may be far apart.
            query.all(self.read()).await?
        };
        Ok(lines_of(range, &filter.kinds, rows))
    }

    pub async fn count_journal(&self, scope: Scope, filter: &JournalFilter) -> Result<u64> {
        // There are few different rows when only their kinds are looked at.
        let query = filtered(scope, filter).select_only().column(Column::Kind);
        let query = query.expr(Column::Position.count()).group_by(Column::Kind);
        let alike: Vec<(String, i64)> = query.into_tuple().all(self.read()).await?;
        let lines = |kind: &str| blocks::kinds(kind).filter(|kind| is_of(&filter.kinds, kind)).count() as u64;
        Ok(alike.iter().map(|(kind, rows)| lines(kind) * rows.unsigned_abs()).sum())
    }

    /// Lines of all workspaces, for the server's own streams: those of so many rows. One commit ends at `up_to`.
    pub async fn journal_of_server(&self, above: i64, up_to: i64, limit: u64) -> Result<Vec<Arc<Entry>>> {
        let range = Range { above: Some(above), below: Some(up_to + 1), newest_first: false, limit };
        let rows = range.of(Entity::find(), Column::Position).all(&self.0.background).await?;
        let lines = rows.into_iter().flat_map(entries).filter(|line| line.position > above);
        Ok(lines.map(Arc::new).collect())
    }

    /// All numbered events of an execution, in order, and who asked for it.
    pub async fn history(&self, execution: ExecutionId) -> Result<Vec<Entry>> {
        static HISTORY: Fixed = Fixed::new();
        let statement = HISTORY.statement(self.0.backend, vec![execution.0.into()], || {
            Entity::find()
                .filter(Column::ExecutionId.eq(execution.0))
                .filter(Column::Seq.is_not_null())
                .order_by_asc(Column::Seq)
                .build(self.0.backend)
        });
        Ok(self.find_by::<Entity>(statement).await?.into_iter().flat_map(entries).collect())
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
        use entity::execution;
        // The workspace is left to the executions: SQLite would otherwise read through the whole workspace.
        let own = Query::select()
            .column(execution::Column::Id)
            .from(execution::Entity)
            .and_where(execution::Column::WorkspaceId.eq(scope.workspace().0))
            .and_where(execution::Column::Id.is_in(ids.iter().map(|id| id.0)))
            .to_owned();
        let query = Entity::find()
            .filter(Column::ExecutionId.in_subquery(own))
            .filter(Column::Seq.is_not_null())
            .filter(of_kinds(kinds))
            .order_by_asc(Column::ExecutionId)
            .order_by_asc(Column::Seq);
        let lines = query.all(self.read()).await?.into_iter().flat_map(entries);
        let lines = lines.filter(|line| is_of(kinds, line.kind()));
        Ok(grouped(lines.map(|line| (line.execution, line))))
    }

    /// The first lines of many executions, each up to a limit, in the order of the journal.
    pub async fn first_journal_lines(
        &self,
        scope: Scope,
        ids: &[ExecutionId],
        kinds: &[&'static str],
        limit: u64,
    ) -> Result<Vec<Entry>> {
        let mut lines = Vec::new();
        let mut counts: HashMap<ExecutionId, u64> = HashMap::new();
        for chunk in ids.chunks(MOST_PARTS) {
            let parts = chunk.iter().map(|id| {
                let filter = JournalFilter { execution: Some(*id), workflow: None, kinds: kinds.to_vec() };
                let range = Range { above: None, below: None, newest_first: false, limit };
                let query = range.of(filtered(scope, &filter), Column::Position);
                QueryTrait::into_query(query.select_only().column(Column::Position))
            });
            let Some(first) = together(parts, "position") else { continue };
            let query = Entity::find().filter(Column::Position.in_subquery(first)).order_by_asc(Column::Position);
            let found = query.all(self.read()).await?.into_iter().flat_map(entries);
            lines.extend(found.filter(|line| is_of(kinds, line.kind())).filter(|line| {
                let count = counts.entry(line.execution).or_default();
                *count += 1;
                *count <= limit
            }));
        }
        Ok(lines)
    }

    /// The lines of an execution with these numbers.
    pub async fn journal_lines(&self, scope: Scope, wanted: &[(ExecutionId, u64)]) -> Result<Vec<Entry>> {
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let mut any = Condition::any();
        for (execution, seq) in wanted {
            let seq = i64::try_from(*seq).map_err(|_| Error::Unexpected(format!("the number {seq} is too large")))?;
            let first = Expr::col((Entity, Column::Seq)).sub(Expr::col((Entity, Column::Lines))).add(1);
            // As with positions: an index finds the number of the last line in a row.
            let last = Column::Seq.between(seq, seq.saturating_add(MOST_LINES as i64 - 1));
            any = any.add(Column::ExecutionId.eq(execution.0).and(last).and(first.lte(seq)));
        }
        let query = Entity::find().filter(Column::WorkspaceId.eq(scope.workspace().0)).filter(any);
        let lines = query.all(self.read()).await?.into_iter().flat_map(entries);
        let is_wanted = |line: &Entry| line.seq.is_some_and(|seq| wanted.contains(&(line.execution, seq)));
        Ok(lines.filter(is_wanted).collect())
    }
}
