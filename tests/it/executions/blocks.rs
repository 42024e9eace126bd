//! Lines that are written together share a row of the journal, and nobody who reads can tell.

use std::collections::HashSet;

use countersign::{
    domain::{
        agent::Kind,
        execution::{LogLevel, Status},
        id::ExecutionId,
    },
    engine::commands::HeartbeatTask,
    store::{
        Range,
        journal::{self, Entry, JournalFilter},
    },
};
use rstest::rstest;
use sea_orm::{EntityTrait, QueryOrder};
use serde_json::json;

use crate::support::{Database, TestApp, worker::alive};

const KINDS: [&[&str]; 6] = [
    &[],
    &["step.completed"],
    &["step.logged"],
    &["execution.queued", "step.logged", "execution.completed"],
    &["checkpoint.auto_approved"],
    &["execution.failed"],
];

/// One line, by hand from its row.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    position: i64,
    execution: ExecutionId,
    seq: Option<u64>,
    kind: String,
    data: Option<String>,
}

impl From<&Entry> for Line {
    fn from(entry: &Entry) -> Self {
        Self {
            position: entry.position,
            execution: entry.execution,
            seq: entry.seq,
            kind: entry.kind().to_owned(),
            data: entry.event.as_ref().ok().map(|event| event.data()),
        }
    }
}

fn to_lines<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Vec<Line> {
    entries.into_iter().map(Line::from).collect()
}

/// Executions of computed steps, one with comments, and one that asked nobody; then all lines of the journal.
async fn filled(app: &TestApp) -> Vec<Line> {
    app.agent("Echo", Kind::Transform, json!({"output": "/input"})).await;
    app.agent("Hand", Kind::Worker, json!({"queue": "hands"})).await;
    let echoes: Vec<_> = (0..5).map(|number| json!({"key": format!("s{number}"), "agent": "Echo"})).collect();
    let computed = app.workflow(json!({"name": "Computed", "steps": echoes})).await;
    let by_hand = app
        .workflow(json!({"name": "By hand", "steps": [
            {"key": "before", "agent": "Echo"}, {"key": "hand", "agent": "Hand"}, {"key": "after", "agent": "Echo"},
        ]}))
        .await;
    for workflow in [computed, by_hand, computed] {
        let id = app.start_execution(workflow, json!({"text": "x".repeat(1_000)})).await;
        if workflow == by_hand {
            let task = app.claim_next("hands").await;
            for message in ["one", "two"] {
                let log = Some((LogLevel::Info, message.to_owned()));
                let sign = HeartbeatTask { log, ..alive(&task) };
                app.engine.heartbeat_task(app.scope(), sign).await.expect("it is alive");
            }
            app.complete(&task, "{}").await.expect("completed");
        }
        app.wait_for(id, Status::Completed).await;
    }
    let rows = entity::journal::Entity::find().order_by_asc(entity::journal::Column::Position);
    let rows = rows.all(&app.database.connect().await).await.expect("the journal");
    let lines = rows.iter().flat_map(|row| {
        let texts = journal::lines(row).expect("texts");
        let before_last = move |number: usize| i64::from(row.lines) - 1 - i64::try_from(number).expect("few");
        texts.into_iter().enumerate().map(move |(number, (kind, data))| Line {
            position: row.position - before_last(number),
            execution: ExecutionId(row.execution_id),
            seq: row.seq.map(|seq| (seq - before_last(number)).unsigned_abs()),
            kind,
            data: Some(data),
        })
    });
    let lines: Vec<Line> = lines.collect();
    assert!(rows.len() * 2 < lines.len(), "{} lines in {} rows", lines.len(), rows.len());
    lines
}

fn expected(lines: &[Line], kinds: &[&str], range: Range) -> Vec<Line> {
    let wanted = lines.iter().filter(|line| {
        range.above.is_none_or(|above| line.position > above)
            && range.below.is_none_or(|below| line.position < below)
            && (kinds.is_empty() || kinds.contains(&line.kind.as_str()))
    });
    let mut wanted: Vec<Line> = wanted.cloned().collect();
    if range.newest_first {
        wanted.reverse();
    }
    wanted.truncate(usize::try_from(range.limit).expect("few"));
    wanted
}

#[rstest]
#[tokio::test]
async fn any_part_of_the_journal_begins_and_ends_anywhere(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let app = TestApp::start(database).await;
    let lines = filled(&app).await;
    let store = app.engine.store();
    let positions = || std::iter::once(None).chain(lines.iter().map(|line| Some(line.position)));
    let parts = positions().flat_map(|at| [(at, None), (None, at), (at, at.map(|at| at + 5))]);
    let directions = parts.flat_map(|(above, below)| {
        [(false, 1), (true, 3), (false, 100), (true, 100)].map(|(newest_first, limit)| Range {
            above,
            below,
            newest_first,
            limit,
        })
    });
    for range in directions {
        for kinds in KINDS {
            let filter = JournalFilter { kinds: kinds.to_vec(), ..JournalFilter::default() };
            let found = store.journal(app.scope(), &filter, range).await.expect("lines");
            assert_eq!(to_lines(&found), expected(&lines, kinds, range), "{kinds:?} {range:?}");
        }
    }
}

#[rstest]
#[tokio::test]
async fn lines_are_found_and_counted_one_by_one(#[values(Database::Sqlite, Database::Postgres)] database: Database) {
    let app = TestApp::start(database).await;
    let lines = filled(&app).await;
    let store = app.engine.store();
    let executions: HashSet<ExecutionId> = lines.iter().map(|line| line.execution).collect();
    let executions: Vec<ExecutionId> = executions.into_iter().collect();
    for kinds in KINDS {
        let of_kinds = || lines.iter().filter(|line| kinds.is_empty() || kinds.contains(&line.kind.as_str()));
        let filter = JournalFilter { kinds: kinds.to_vec(), ..JournalFilter::default() };
        let count = store.count_journal(app.scope(), &filter).await.expect("a count");
        assert_eq!(count, of_kinds().count() as u64, "{kinds:?}");
        let found = store.events_of(app.scope(), &executions, kinds).await.expect("events");
        for id in &executions {
            let numbered = of_kinds().filter(|line| line.execution == *id && line.seq.is_some());
            let numbered: Vec<Line> = numbered.cloned().collect();
            assert_eq!(to_lines(found.get(id).into_iter().flatten()), numbered, "{kinds:?}");
            for limit in [1, 2, 7, 100] {
                let found = store.first_journal_lines(app.scope(), &[*id], kinds, limit).await.expect("lines");
                let first = of_kinds().filter(|line| line.execution == *id).take(usize::try_from(limit).expect("few"));
                assert_eq!(to_lines(&found), first.cloned().collect::<Vec<_>>(), "{kinds:?} {limit}");
            }
        }
    }
    for line in lines.iter().filter(|line| line.seq.is_some()) {
        let wanted = (line.execution, line.seq.expect("a number"));
        let found = store.journal_lines(app.scope(), &[wanted]).await.expect("a line");
        assert_eq!(to_lines(&found), std::slice::from_ref(line));
    }
    app.assert_sound().await;
}
