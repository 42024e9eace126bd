//! Answering from rollups.

use std::collections::HashMap;

use entity::rollup::{Column, Entity};
use sea_orm::{
    ColumnTrait, Condition, DbBackend, DbErr,
    sea_query::{Asterisk, Expr, ExprTrait, JoinType, Query, SelectStatement, ValueTuple},
};
use uuid::Uuid;

use super::{
    Resolution,
    write::{read_durations, unsigned},
};
use crate::{
    domain::{
        access::Scope,
        analytics::{Amounts, Balance, Covered, Length, Measure, Part, Slot},
        execution::Usage,
        id::{AgentId, WorkflowId},
    },
    store::{
        Result, Store,
        inline::{Columns, FromColumns},
    },
};

/// What figures are about.
#[derive(Debug, Clone)]
pub struct Selection {
    pub covered: Covered,
    /// Where those of its fortnights begin that are added up, see [`Store::added_up`]: looked up once for all figures.
    pub fortnights: Vec<Slot>,
    /// When somebody asks: hardly anything has happened later.
    pub now: Slot,
    pub workflow: Option<WorkflowId>,
    pub agent: Option<AgentId>,
}

impl Selection {
    /// Whether it is about one workflow or one agent.
    pub(super) fn is_filtered(&self) -> bool {
        self.workflow.is_some() || self.agent.is_some()
    }
}

/// What figures can be told apart by, beside what was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dimension {
    Workflow,
    Agent,
    Person,
    Rule,
}

/// What was counted of one kind. What was not asked for is absent.
#[derive(Debug, Clone)]
pub struct Figure {
    pub measure: Measure,
    pub workflow: Option<WorkflowId>,
    pub agent: Option<AgentId>,
    /// An account, or a token that belongs to nobody.
    pub person: Option<Uuid>,
    pub rule: Option<String>,
    pub word: String,
    pub amounts: Amounts,
}

/// Rows of one resolution that are to be added, or to be taken away again.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// Of which bucket.
    pub bucket: usize,
    pub resolution: Resolution,
    pub slots: Covered,
    pub taken_away: bool,
}

impl Piece {
    /// What makes up a range. `fortnights` says which are added up.
    pub fn of(bucket: usize, range: Covered, now: Slot, fortnights: &[Slot]) -> impl Iterator<Item = Self> {
        range.parts(now, fortnights).into_iter().map(move |Part { length, slots, taken_away }| {
            let resolution = match length {
                Length::Quarter => Resolution::Quarter,
                Length::Day => Resolution::Day,
                Length::Fortnight => Resolution::Fortnight,
            };
            Self { bucket, resolution, slots, taken_away }
        })
    }

    pub fn put(&self, amounts: &Amounts, balance: &mut Balance) {
        if self.taken_away { balance.take_away(amounts) } else { balance.add(amounts) }
    }
}

impl Store {
    /// What was counted, told apart by what is asked for.
    pub async fn figures(
        &self,
        scope: Scope,
        selection: &Selection,
        measures: &[Measure],
        by: &[Dimension],
    ) -> Result<Vec<Figure>> {
        let Selection { covered, now, fortnights, .. } = selection;
        let pieces: Vec<Piece> = Piece::of(0, *covered, *now, fortnights).collect();
        if pieces.is_empty() {
            return Ok(Vec::new());
        }
        let mut columns = Query::select();
        columns.columns(COLUMNS).cond_where(of(scope, selection, measures));
        let query = by_piece(self.0.backend, &pieces, columns, None);
        let rows: Vec<Row> = self.find_many(self.0.backend.build(&query)).await?;
        let mut groups: HashMap<Group<'_>, Vec<&Row>> = HashMap::new();
        for row in &rows {
            groups.entry(row.group(by)).or_default().push(row);
        }
        let mut balance = Balance::default();
        let figures = groups.into_iter().filter_map(|((measure, word, workflow, agent, person, rule), rows)| {
            let known = rows.into_iter().filter_map(|row| Some((pieces.get(row.piece)?, row)));
            known.for_each(|(piece, row)| piece.put(&row.amounts, &mut balance));
            let amounts = balance.finish();
            let some = |id: Uuid| (!id.is_nil()).then_some(id);
            // What all was taken away of did not happen in the range.
            (amounts != Amounts::default()).then_some(())?;
            Some(Figure {
                measure: measure.parse().ok()?,
                workflow: some(workflow).map(WorkflowId),
                agent: some(agent).map(AgentId),
                person: some(person),
                rule: Some(rule).filter(|rule| !rule.is_empty()).map(ToOwned::to_owned),
                word: word.to_owned(),
                amounts,
            })
        });
        Ok(figures.collect())
    }
}

/// A row that was read.
struct Row {
    measure: String,
    word: String,
    workflow: Uuid,
    agent: Uuid,
    person: Uuid,
    rule: String,
    amounts: Amounts,
    piece: usize,
}

/// In the order of [`Row`].
const COLUMNS: [Column; 12] = [
    Column::Measure,
    Column::Word,
    Column::WorkflowId,
    Column::AgentId,
    Column::PersonId,
    Column::Rule,
    Column::Count,
    Column::Micros,
    Column::LlmCalls,
    Column::Tokens,
    Column::CostMicros,
    Column::Durations,
];

/// By position: names would have to be looked up in each row.
impl FromColumns for Row {
    fn from_columns(row: &impl Columns) -> std::result::Result<Self, DbErr> {
        Ok(Self {
            measure: row.column(0)?,
            word: row.column(1)?,
            workflow: row.column(2)?,
            agent: row.column(3)?,
            person: row.column(4)?,
            rule: row.column(5)?,
            amounts: Amounts {
                count: unsigned(row.column(6)?),
                micros: unsigned(row.column(7)?),
                usage: usage(row.column(8)?, row.column(9)?, row.column(10)?),
                durations: read_durations(&row.column::<Vec<u8>>(11)?),
            },
            piece: number(row.column(12)?).unwrap_or(usize::MAX),
        })
    }
}

type Group<'a> = (&'a str, &'a str, Uuid, Uuid, Uuid, &'a str);

impl Row {
    /// With what it is added up.
    fn group(&self, by: &[Dimension]) -> Group<'_> {
        let id = |dimension, id| if by.contains(&dimension) { id } else { Uuid::nil() };
        let rule = if by.contains(&Dimension::Rule) { self.rule.as_str() } else { "" };
        let workflow = id(Dimension::Workflow, self.workflow);
        let [agent, person] = [id(Dimension::Agent, self.agent), id(Dimension::Person, self.person)];
        (&self.measure, &self.word, workflow, agent, person, rule)
    }
}

pub(super) fn number(number: i32) -> Option<usize> {
    usize::try_from(number).ok()
}

pub(super) fn usage(llm_calls: i64, tokens: i64, cost_micros: i64) -> Usage {
    Usage { llm_calls: unsigned(llm_calls), tokens: unsigned(tokens), cost_micros: unsigned(cost_micros) }
}

/// Which rows of any resolution and time.
pub(super) fn of(scope: Scope, selection: &Selection, measures: &[Measure]) -> Condition {
    Condition::all()
        .add(Column::WorkspaceId.eq(scope.workspace().0))
        .add(Column::Measure.is_in(measures.iter().map(|measure| measure.as_str())))
        // Written as ranges: for ids to be equal to, SQLite would make an index of the whole table first.
        .add_option(selection.workflow.map(|workflow| Column::WorkflowId.between(workflow.0, workflow.0)))
        .add_option(selection.agent.map(|agent| Column::AgentId.between(agent.0, agent.0)))
}

/// A selection from the rows of each piece, with the piece's number after its own columns.
///
/// Each piece is one range of the key, and is to be read as such: PostgreSQL would start other processes for a union of
/// them, which takes longer than reading, and compare every row with every piece of a plain join.
pub(super) fn by_piece(
    backend: DbBackend,
    pieces: &[Piece],
    mut selection: SelectStatement,
    grouped_by: Option<Column>,
) -> SelectStatement {
    let values = (0_i32..).zip(pieces).map(|(number, piece)| {
        let Covered { from, until } = piece.slots;
        ValueTuple::Many(vec![number.into(), piece.resolution.as_str().into(), from.0.into(), until.0.into()])
    });
    // Both databases give the columns of a list these names.
    let piece = |column: &'static str| Expr::col(("piece", column));
    selection
        .and_where(Expr::col((Entity, Column::Resolution)).eq(piece("column2")))
        .and_where(Expr::col((Entity, Column::Slot)).gte(piece("column3")))
        .and_where(Expr::col((Entity, Column::Slot)).lt(piece("column4")))
        .add_group_by(grouped_by.map(|column| Expr::col((Entity, column))));
    if backend == DbBackend::Postgres {
        // With an offset it stays a selection of its own for each piece.
        selection.from(Entity).offset(0);
        return Query::select()
            .column(("found", Asterisk))
            .expr(piece("column1"))
            .from_values(values, "piece")
            .join_lateral(JoinType::InnerJoin, selection, "found", Expr::cust("TRUE"))
            .to_owned();
    }
    // SQLite keeps to the order in which a cross join is written.
    selection.expr(piece("column1")).from_values(values, "piece").cross_join(Entity);
    selection.add_group_by(grouped_by.map(|_| piece("column1")));
    selection
}
