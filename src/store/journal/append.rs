//! Writing to the journal, for many callers at once.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use sea_orm::{
    ColumnTrait, DatabaseTransaction, DbBackend, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    Statement,
};
use uuid::Uuid;

use super::{
    blocks::Block,
    decision::{Append, Appended, Committed, Prepared, Written},
    read::Entry,
    rows,
};
use crate::{
    domain::{access::Actor, audit::Entry as AuditEntry, execution::Event},
    store::{
        Error, Result, Store, Tx, actor, audit, bulk, deliverables,
        fixed::Fixed,
        idempotency::{self, Known},
        inline::Turn,
        micros, payloads, policies,
        rollups::{self, Rollups},
        session::Session,
    },
};

pub(in crate::store) const JOURNAL_CHANNEL: &str = "countersign_journal";
/// The lock serialises the appends of all processes, so that positions have no gap and become visible in their order.
/// The number is "counter" and 2.
const LOCK: &str = "SELECT pg_advisory_xact_lock(x'636f756e74657202'::bigint)";
/// Up to where the journal and the audit log are written.
const HEADS: &str =
    "SELECT coalesce((SELECT max(position) FROM journal), 0), coalesce((SELECT max(position) FROM audit_entry), 0)";
type Heads = (i64, i64);

impl Store {
    /// A transaction that keeps everybody else from writing to the journal, and to what is derived from it.
    pub(in crate::store) async fn begin_append(&self) -> Result<(Option<Turn>, DatabaseTransaction)> {
        let (turn, db) = self.begin_pooled().await?;
        lock(&db).await?;
        Ok((turn, db))
    }

    /// Writes what several callers decided, in one transaction, and says what became of each. On SQLite it blocks the
    /// thread until the disk has it.
    pub async fn append(&self, batch: &[Prepared]) -> Result<Vec<Appended>> {
        let (outcomes, written) = if let Some(inline) = &self.0.inline {
            let db = inline.begin().await?;
            let (outcomes, written) = self.append_within(&db, batch, None).await?;
            if written.is_some() {
                db.commit()?;
                // What was written to a file that was deleted meanwhile must not be called done.
                self.check_files()?;
            }
            (outcomes, written)
        } else if let Some(journal) = &self.0.journal {
            let (db, heads) = journal.begin(&format!("{LOCK}; {HEADS}")).await?;
            let (outcomes, written) = self.append_within(&db, batch, Some(heads)).await?;
            if let Some(written) = &written {
                // Others need not look where it ends.
                let head = written.committed.entries.last().map(|last| last.position).unwrap_or_default();
                journal.commit(db, &format!("NOTIFY {JOURNAL_CHANNEL}, '{head}'")).await?;
            } else {
                journal.roll_back(db).await?;
            }
            (outcomes, written)
        } else {
            return Err(Error::Unexpected("this database was opened to be read".to_owned()));
        };
        written.into_iter().for_each(|written| self.announce_written(written));
        Ok(outcomes)
    }

    /// The same within a transaction that holds the journal's lock and has yet to be committed; nothing to announce if
    /// nothing was written. `heads` says up to where the logs are written, if that is known already.
    async fn append_within(
        &self,
        db: &impl Session,
        batch: &[Prepared],
        heads: Option<Heads>,
    ) -> Result<(Vec<Appended>, Option<Written>)> {
        let mut outcomes = Vec::with_capacity(batch.len());
        let mut seqs = current_seqs(db, batch).await?;
        let mut moved = HashSet::new();
        let mut epochs = HashMap::new();
        for one in batch {
            outcomes.push(judge(db, &one.append, &mut seqs, &mut moved, &mut epochs).await?);
        }
        let accepted: Vec<&Prepared> = batch
            .iter()
            .zip(&outcomes)
            .filter(|(_, outcome)| **outcome == Appended::Done)
            .map(|(one, _)| one)
            .collect();
        if accepted.is_empty() {
            return Ok((outcomes, None));
        }
        let heads = match heads {
            Some(heads) => heads,
            None => db.tuple(Statement::from_string(db.backend(), HEADS)).await?.unwrap_or_default(),
        };
        let committed = self.write(db, &accepted, heads).await?;
        let audited: Vec<AuditEntry> = accepted.iter().flat_map(|one| one.append.audit.iter().cloned()).collect();
        // Last, because whoever else writes to the audit log waits from here on.
        let audit_position = if audited.is_empty() { None } else { Some(audit::write(db, audited).await?) };
        Ok((outcomes, Some(Written { committed, audit_position })))
    }

    /// Tells whoever watches what a transaction has written, once it is committed.
    pub(in crate::store) fn announce_written(&self, written: Written) {
        self.announce(written.committed);
        if let Some(position) = written.audit_position {
            self.note_audit_position(position);
        }
    }

    async fn write(&self, db: &impl Session, prepared: &[&Prepared], heads: Heads) -> Result<Committed> {
        let (mut position, audit_position) = heads;
        let accepted: Vec<&Append> = prepared.iter().map(|one| &one.append).collect();
        // First, because it reads: all that is only written can then go to PostgreSQL in one statement.
        let mut rollups = Rollups::default();
        accepted.iter().for_each(|append| rollups.add(append.workspace, &append.facts));
        rollups::add(db, rollups).await?;
        payloads::insert(db, &accepted).await?;
        rows::write_executions(db, &accepted).await?;
        let (mut entries, mut rows) = (Vec::new(), Vec::new());
        for Prepared { append, blocks } in prepared {
            let mut seq = append.expected.unwrap_or(0);
            let (mut events, mut blocks) = (append.events.clone(), blocks.clone());
            for put in &append.kept {
                let event = Event::Deliverable(deliverables::put(db, append, put).await?);
                blocks.push(Block::of_one(&event));
                events.push(event);
            }
            let mut events = events.into_iter().enumerate();
            for block in blocks {
                for (number_in_append, event) in events.by_ref().take(block.lines) {
                    position += 1;
                    let by_server = append.by_server_from.is_some_and(|from| number_in_append >= from);
                    let number = (!event.is_comment()).then(|| {
                        seq += 1;
                        seq
                    });
                    entries.push(Arc::new(Entry {
                        position,
                        workspace: append.workspace,
                        execution: append.execution,
                        seq: number,
                        at: append.at,
                        actor: if by_server { Actor::System } else { append.actor },
                        event: Ok(event),
                    }));
                }
                rows.extend(entries.last().map(|last| journal_row(last, block)));
            }
        }
        rows::write_journal(db, rows).await?;
        rows::write_steps(db, &accepted).await?;
        rows::write_tasks(db, &accepted).await?;
        rows::write_checkpoints(db, &accepted).await?;
        rows::write_lessons(db, &accepted).await?;
        Ok(Committed { entries, audit_position })
    }

    /// Tells whoever follows the journal. They read what they missed from the database.
    pub(in crate::store) fn announce(&self, committed: Committed) {
        let last = committed.entries.last().map(|last| last.position);
        // Nobody listening is not an error. The head moves afterwards: whoever sees it finds the commit here.
        let _ = self.0.committed.send(Arc::new(committed));
        if let Some(last) = last {
            self.move_journal_head(last);
        }
    }
}

impl Tx {
    /// Adds to the journal what belongs to a larger change. Watchers are told after the commit.
    pub async fn append(&mut self, append: Append) -> Result<Appended> {
        let batch = [append.into()];
        lock(&self.db).await?;
        let (mut outcomes, written) = self.store().append_within(&self.db, &batch, None).await?;
        self.written.extend(written);
        Ok(outcomes.pop().unwrap_or(Appended::Conflict))
    }
}

/// The row that keeps some lines, of which this is the last.
fn journal_row(last: &Entry, block: Block) -> entity::journal::Model {
    let (actor_kind, actor_id) = actor::columns(last.actor);
    let Block { lines, kind, data, packed } = block;
    entity::journal::Model {
        position: last.position,
        workspace_id: last.workspace.0,
        execution_id: last.execution.0,
        seq: last.seq.map(|seq| i64::try_from(seq).unwrap_or(i64::MAX)),
        at: micros::from_time(last.at),
        kind,
        actor_kind,
        actor_id,
        data,
        packed,
        lines: i32::try_from(lines).unwrap_or(i32::MAX),
    }
}

/// The latest number of each execution that is written to.
async fn current_seqs(db: &impl Session, batch: &[Prepared]) -> Result<HashMap<Uuid, u64>> {
    use entity::execution::{Column, Entity};
    let ids: HashSet<Uuid> = batch
        .iter()
        .map(|one| &one.append)
        .filter(|append| append.expected.is_none_or(|expected| expected > 0))
        .map(|append| append.execution.0)
        .collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    static SEQS: Fixed = Fixed::new();
    let ids = bulk::padded(ids);
    let statement = SEQS.statement(db.backend(), ids.iter().map(|id| (*id).into()).collect(), || {
        let seqs = Entity::find().select_only().column(Column::Id).column(Column::Seq);
        seqs.filter(Column::Id.is_in(ids.iter().copied())).build(db.backend())
    });
    let rows: Vec<(Uuid, i64)> = db.tuples(statement).await?;
    Ok(rows.into_iter().map(|(id, seq)| (id, seq.unsigned_abs())).collect())
}

/// Whether an append fits what is there, counting those before it in the same batch.
async fn judge(
    db: &impl Session,
    append: &Append,
    seqs: &mut HashMap<Uuid, u64>,
    moved: &mut HashSet<Uuid>,
    epochs: &mut HashMap<Uuid, i64>,
) -> Result<Appended> {
    if let Some(request) = &append.creation {
        match idempotency::recall(db, request).await? {
            Known::New => {}
            Known::Made(subject) => return Ok(Appended::Made(subject)),
            Known::Mismatch => return Ok(Appended::KeyReused),
        }
    }
    let current = seqs.get(&append.execution.0).copied().unwrap_or(0);
    match append.expected {
        Some(expected) if expected != current => return Ok(Appended::Conflict),
        // A comment needs something to be about.
        None if current == 0 => return Ok(Appended::Conflict),
        Some(_) | None => {}
    }
    // A lease is judged by the task as it is now, which may be about to change in this very batch.
    if let Some(lease) = &append.lease
        && (moved.contains(&append.execution.0) || !rows::prolong(db, lease).await?)
    {
        return Ok(Appended::Conflict);
    }
    if let Some((task, lease)) = append.held
        && (moved.contains(&append.execution.0) || !rows::is_held(db, task, lease).await?)
    {
        return Ok(Appended::Conflict);
    }
    if let Some((task, lease)) = append.lapsed
        && !rows::has_lapsed(db, task, lease, append.at).await?
    {
        return Ok(Appended::Alive);
    }
    if let Some(epoch) = append.epoch {
        let workspace = append.workspace.0;
        let current = match epochs.get(&workspace) {
            Some(known) => *known,
            None => *epochs.entry(workspace).or_insert(policies::epoch(db, workspace).await?),
        };
        if epoch != current {
            return Ok(Appended::Conflict);
        }
    }
    if let Some(request) = &append.creation {
        idempotency::remember(db, request, append.execution.to_string(), append.at).await?;
    }
    let numbered = append.events.iter().filter(|event| !event.is_comment()).count() as u64;
    if numbered > 0 {
        moved.insert(append.execution.0);
    }
    seqs.insert(append.execution.0, current + numbered);
    Ok(Appended::Done)
}

/// Keeps everybody else from writing to the journal until the transaction ends, and tells other processes when it has
/// been committed. SQLite has one writer anyway.
pub(in crate::store) async fn lock(db: &impl Session) -> Result<()> {
    if db.backend() == DbBackend::Postgres {
        for statement in [LOCK.to_owned(), format!("NOTIFY {JOURNAL_CHANNEL}")] {
            db.run(Statement::from_string(DbBackend::Postgres, statement)).await?;
        }
    }
    Ok(())
}

/// The number of an execution's latest event.
pub(in crate::store) async fn latest_seq(db: &impl Session, execution: Uuid) -> Result<Option<i64>> {
    use entity::journal::{Column, Entity};
    let query = Entity::find().select_only().column(Column::Seq).filter(Column::ExecutionId.eq(execution));
    let query = query.filter(Column::Seq.is_not_null()).order_by_desc(Column::Seq).limit(1);
    db.tuple(query.build(db.backend())).await
}

pub(in crate::store) async fn latest_position(db: &impl Session) -> Result<i64> {
    use entity::journal::{Column, Entity};
    let query = Entity::find().select_only().column(Column::Position).order_by_desc(Column::Position).limit(1);
    Ok(db.tuple(query.build(db.backend())).await?.unwrap_or(0))
}
