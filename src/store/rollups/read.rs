//! Answering from rollups.

use std::collections::BTreeMap;

use sea_orm::{
    ColumnTrait, Condition, FromQueryResult,
    sea_query::{Expr, ExprTrait, Query, SelectStatement, UnionType},
};
use uuid::Uuid;

use super::{
    Resolution,
    write::{read_durations, unsigned},
};
use crate::{
    domain::{
        access::Scope,
        analytics::{Amounts, Bucket, Covered, Measure},
        execution::Usage,
        id::{AgentId, WorkflowId},
    },
    store::{Result, Store},
};

/// What figures are about.
#[derive(Debug, Clone, Copy)]
pub struct Selection {
    pub covered: Covered,
    pub workflow: Option<WorkflowId>,
    pub agent: Option<AgentId>,
}

/// What was counted of one kind.
#[derive(Debug, Clone)]
pub struct Figure {
    pub measure: Measure,
    pub workflow: WorkflowId,
    pub agent: Option<AgentId>,
    /// An account, or a token that belongs to nobody.
    pub person: Option<Uuid>,
    pub rule: Option<String>,
    pub word: String,
    pub amounts: Amounts,
}

/// What was counted of one kind in one bucket.
#[derive(Debug, Clone)]
pub struct Cell {
    /// Its position among the buckets that were asked for.
    pub bucket: usize,
    pub word: String,
    pub count: u64,
    pub usage: Usage,
}

#[derive(FromQueryResult)]
struct Row {
    measure: String,
    workflow_id: Uuid,
    agent_id: Uuid,
    person_id: Uuid,
    rule: String,
    word: String,
    count: i64,
    micros: i64,
    llm_calls: i64,
    tokens: i64,
    cost_micros: i64,
    durations: Vec<u8>,
}

#[derive(FromQueryResult)]
struct CellRow {
    bucket: i32,
    word: String,
    count: i64,
    llm_calls: i64,
    tokens: i64,
    cost_micros: i64,
}

type Group = (String, Uuid, Uuid, Uuid, String, String);

impl Store {
    /// What was counted, by everything that a fact names.
    pub async fn figures(&self, scope: Scope, selection: Selection, measures: &[Measure]) -> Result<Vec<Figure>> {
        let Some(query) = in_range(scope, selection, measures) else { return Ok(Vec::new()) };
        let rows = Row::find_by_statement(self.0.backend.build(&query)).all(self.read()).await?;
        let mut groups: BTreeMap<Group, Amounts> = BTreeMap::new();
        for row in rows {
            let usage = usage(row.llm_calls, row.tokens, row.cost_micros);
            let durations = read_durations(&row.durations);
            let amounts = Amounts { count: unsigned(row.count), micros: unsigned(row.micros), usage, durations };
            let group = (row.measure, row.workflow_id, row.agent_id, row.person_id, row.rule, row.word);
            groups.entry(group).or_default().add(&amounts);
        }
        let some = |id: Uuid| (!id.is_nil()).then_some(id);
        let figures = groups.into_iter().filter_map(|((measure, workflow, agent, person, rule, word), amounts)| {
            Some(Figure {
                measure: measure.parse().ok()?,
                workflow: WorkflowId(workflow),
                agent: some(agent).map(AgentId),
                person: some(person),
                rule: Some(rule).filter(|rule| !rule.is_empty()),
                word,
                amounts,
            })
        });
        Ok(figures.collect())
    }

    /// What was counted in each of some buckets.
    pub async fn series(
        &self,
        scope: Scope,
        selection: Selection,
        measure: Measure,
        buckets: &[Bucket],
    ) -> Result<Vec<Cell>> {
        if buckets.is_empty() {
            return Ok(Vec::new());
        }
        let query = by_bucket(scope, selection, measure, buckets);
        let rows = CellRow::find_by_statement(self.0.backend.build(&query)).all(self.read()).await?;
        let cells = rows.into_iter().map(|row| Cell {
            bucket: usize::try_from(row.bucket).unwrap_or(usize::MAX),
            word: row.word,
            count: unsigned(row.count),
            usage: usage(row.llm_calls, row.tokens, row.cost_micros),
        });
        Ok(cells.collect())
    }
}

fn usage(llm_calls: i64, tokens: i64, cost_micros: i64) -> Usage {
    Usage { llm_calls: unsigned(llm_calls), tokens: unsigned(tokens), cost_micros: unsigned(cost_micros) }
}

/// Which rows of one resolution.
fn of(scope: Scope, selection: Selection, resolution: Resolution, measures: &[Measure]) -> Condition {
    use entity::rollup::Column;
    Condition::all()
        .add(Column::WorkspaceId.eq(scope.workspace().0))
        .add(Column::Resolution.eq(resolution.as_str()))
        .add(Column::Measure.is_in(measures.iter().map(|measure| measure.as_str())))
        .add_option(selection.workflow.map(|workflow| Column::WorkflowId.eq(workflow.0)))
        .add_option(selection.agent.map(|agent| Column::AgentId.eq(agent.0)))
}

/// The whole days within a range, and the slots before and after them; nothing for an empty range.
fn in_range(scope: Scope, selection: Selection, measures: &[Measure]) -> Option<SelectStatement> {
    use entity::rollup::{Column, Entity};
    let covered = selection.covered;
    let [before, after] = covered.edges();
    let parts = [(Resolution::Day, covered.days()), (Resolution::Quarter, before), (Resolution::Quarter, after)];
    let mut parts = parts.into_iter().filter(|(_, part)| part.from < part.until).map(|(resolution, part)| {
        Query::select()
            .columns([Column::Measure, Column::WorkflowId, Column::AgentId, Column::PersonId, Column::Rule])
            .columns([Column::Word, Column::Count, Column::Micros, Column::LlmCalls, Column::Tokens])
            .columns([Column::CostMicros, Column::Durations])
            .from(Entity)
            .cond_where(of(scope, selection, resolution, measures))
            .and_where(Column::Slot.gte(part.from.0))
            .and_where(Column::Slot.lt(part.until.0))
            .to_owned()
    });
    let mut all = parts.next()?;
    for part in parts {
        all.union(UnionType::All, part);
    }
    Some(all)
}

/// Sums by bucket and word. Without a filter there are rows that hold nothing else.
fn by_bucket(scope: Scope, selection: Selection, measure: Measure, buckets: &[Bucket]) -> SelectStatement {
    use entity::rollup::{Column, Entity};
    let filtered = selection.workflow.is_some() || selection.agent.is_some();
    let resolution = if filtered { Resolution::Quarter } else { Resolution::QuarterTotal };
    let numbered = buckets.iter().enumerate();
    let numbered =
        numbered.map(|(number, bucket)| (i32::try_from(number).unwrap_or(i32::MAX), bucket.from.0, bucket.until.0));
    let own = |column: Column| Expr::col((Entity, column));
    // Both databases give the columns of a list these names.
    let bucket = |column: &'static str| Expr::col(("bucket", column));
    let sum = |column: &str| Expr::cust(format!("CAST(SUM(rollup.{column}) AS bigint)"));
    Query::select()
        .expr_as(bucket("column1"), "bucket")
        .expr_as(own(Column::Word), "word")
        .expr_as(sum("count"), "count")
        .expr_as(sum("llm_calls"), "llm_calls")
        .expr_as(sum("tokens"), "tokens")
        .expr_as(sum("cost_micros"), "cost_micros")
        .from_values(numbered, "bucket")
        .cross_join(Entity)
        .cond_where(of(scope, selection, resolution, &[measure]))
        .and_where(own(Column::Slot).gte(bucket("column2")))
        .and_where(own(Column::Slot).lt(bucket("column3")))
        .add_group_by([bucket("column1"), own(Column::Word)])
        .to_owned()
}
