//! A workspace's audit log as lines, for exports and for whoever verifies it: in pages, so that it may be of any length.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat, Utc};
use futures_util::{Stream, StreamExt, stream};
use sea_orm::{
    ColumnTrait, Condition, DbBackend, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect, RuntimeErr, Select,
    sea_query::Expr,
};

use super::{
    Values, values_of,
    write::{beginning, record},
};
use crate::{
    domain::{
        audit::{End, EntryLine, Head, Line, PersonalValue, Signature, Unreadable},
        id::WorkspaceId,
    },
    store::{Error, Result, Store, workspaces::Workspace},
};

const PAGE: u64 = 500;

/// Which part of a log: from the first entry of this time to the last, and all between them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Period {
    pub from: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
}

impl Store {
    /// The log of a workspace from its head to its end. Meanwhile entries may be added and values erased: it goes on
    /// until it has caught up, so that what is missing in it is explained in it.
    pub fn audit_lines(
        &self,
        workspace: Workspace,
        period: Period,
        now: DateTime<Utc>,
    ) -> impl Stream<Item = Result<Line>> + Send + use<> {
        let Workspace { id, slug, .. } = workspace;
        self.lines_of_audit_log(id, slug, Wanted::Of(period), now)
    }

    /// The log of a workspace from an entry on.
    pub fn audit_lines_from(
        &self,
        workspace: WorkspaceId,
        first: i64,
    ) -> impl Stream<Item = Result<Line>> + Send + use<> {
        self.lines_of_audit_log(workspace, String::new(), Wanted::From(first), DateTime::UNIX_EPOCH)
    }

    fn lines_of_audit_log(
        &self,
        workspace: WorkspaceId,
        slug: String,
        wanted: Wanted,
        now: DateTime<Utc>,
    ) -> impl Stream<Item = Result<Line>> + Send + use<> {
        let reader = Reader {
            store: self.clone(),
            workspace,
            slug,
            bound: None,
            last: (0, 0),
            hash: beginning(uuid::Uuid::nil()).hash,
            seen: 0,
            next: Next::Begin(wanted, now),
        };
        let pages = stream::unfold(reader, |mut reader| async move {
            let page: Vec<Result<Line>> = match reader.read().await {
                Ok(Some(lines)) => lines.into_iter().map(Ok).collect(),
                Ok(None) => return None,
                // What nobody can have written is something that was found, not a failure to look.
                Err(Stop::Unreadable(what)) => {
                    reader.next = Next::Nothing;
                    vec![Ok(Line::Unreadable(what))]
                }
                Err(Stop::Failed(error)) => {
                    reader.next = Next::Nothing;
                    vec![Err(error)]
                }
            };
            Some((stream::iter(page), reader))
        });
        pages.flatten()
    }
}

#[derive(Debug, Clone, Copy)]
enum Wanted {
    Of(Period),
    From(i64),
}

/// Why the reader does not go on.
enum Stop {
    Unreadable(Unreadable),
    Failed(Error),
}

impl Stop {
    /// `what` should be at this place.
    fn at(sequence: i64, what: &str, error: DbErr) -> Self {
        if is_unreadable(&error) {
            return Stop::Unreadable(Unreadable { sequence, reason: format!("{what}: {error}") });
        }
        Stop::Failed(error.into())
    }
}

/// Whether the database answered, but with a value that is not of its column's kind.
fn is_unreadable(error: &DbErr) -> bool {
    use sea_orm::sqlx::Error;
    match error {
        DbErr::Type(_) | DbErr::Json(_) | DbErr::TryIntoErr { .. } => true,
        DbErr::Query(RuntimeErr::SqlxError(error)) | DbErr::Exec(RuntimeErr::SqlxError(error)) => {
            matches!(&**error, Error::ColumnDecode { .. } | Error::Decode(_) | Error::TypeNotFound { .. })
        }
        _ => false,
    }
}

type Read<T> = std::result::Result<T, Stop>;

enum Next {
    Begin(Wanted, DateTime<Utc>),
    Page,
    Nothing,
}

struct Reader {
    store: Store,
    workspace: WorkspaceId,
    slug: String,
    /// The last entry that is wanted, if not all are.
    bound: Option<i64>,
    /// The number and the position of the last entry that was read, and its hash.
    last: (i64, i64),
    hash: String,
    /// Where the log ended before the latest look at its entries.
    seen: i64,
    next: Next,
}

impl Reader {
    async fn read(&mut self) -> Read<Option<Vec<Line>>> {
        match self.next {
            Next::Begin(wanted, now) => self.begin(wanted, now).await.map(Some),
            Next::Page => self.page().await.map(Some),
            Next::Nothing => Ok(None),
        }
    }

    async fn begin(&mut self, wanted: Wanted, now: DateTime<Utc>) -> Read<Vec<Line>> {
        use entity::audit_entry::Column;
        let (db, of_time) = (&self.store.0.background, self.entries().select_only());
        let (mut first, period) = match wanted {
            Wanted::Of(period) => (1, period),
            Wanted::From(first) => (first, Period::default()),
        };
        // A head that cannot be read is told after the entries.
        self.seen = self.head().await.ok().flatten().map_or(0, |head| head.sequence);
        let failed = |error| Stop::at(1, "the number of an entry", error);
        if let Some(from) = period.from {
            let query = of_time.clone().column_as(Column::Sequence.min(), "first").filter(Column::At.gte(from));
            let found = query.into_tuple::<Option<i64>>().one(db).await.map_err(failed)?;
            first = found.flatten().unwrap_or(self.seen + 1);
        }
        if let Some(until) = period.until {
            let query = of_time.column_as(Column::Sequence.max(), "last").filter(Column::At.lt(until));
            let found = query.into_tuple::<Option<i64>>().one(db).await.map_err(failed)?;
            self.bound = Some(found.flatten().unwrap_or(0).max(first - 1));
        }
        // Positions before the first one do not matter.
        self.last = (first - 1, i64::MAX);
        self.next = Next::Page;
        let exported_at = now.to_rfc3339_opts(SecondsFormat::Micros, true);
        let (workspace, slug) = (self.workspace.to_string(), self.slug.clone());
        Ok(vec![Line::Head(Head::new(workspace, slug, exported_at, first))])
    }

    /// PostgreSQL knows times that no program can hold, such as infinity, and its driver does not survive them.
    async fn times_can_be_read(&self) -> Read<()> {
        use entity::audit_entry::Column;
        if self.store.0.backend != DbBackend::Postgres {
            return Ok(());
        }
        let query = self.entries().select_only().column_as(Column::Sequence.min(), "first");
        let query = query.filter(Expr::cust("NOT (\"at\" BETWEEN '0001-01-01' AND '9999-12-31')"));
        let found = query.into_tuple::<Option<i64>>().one(&self.store.0.background).await;
        match found.map_err(|error| Stop::at(1, "the number of an entry", error))?.flatten() {
            Some(sequence) => {
                Err(Stop::Unreadable(Unreadable { sequence, reason: "its time is out of range".to_owned() }))
            }
            None => Ok(()),
        }
    }

    /// The next entries with their signatures, or the end.
    async fn page(&mut self) -> Read<Vec<Line>> {
        if self.last.1 == i64::MAX {
            self.times_can_be_read().await?;
        }
        loop {
            let rows = self.next_entries().await?;
            if !rows.is_empty() {
                return self.lines(rows).await;
            }
            if let Some(sequence) = self.bound {
                self.next = Next::Nothing;
                return Ok(vec![Line::End(End { sequence, hash: self.hash.clone(), complete: false })]);
            }
            // The head is read last: whatever was seen before, it counts in.
            let signatures = self.signatures(i64::MAX).await?;
            let head = self.head().await?;
            let sequence = head.as_ref().map_or(0, |head| head.sequence);
            if sequence > self.seen {
                self.seen = sequence;
                continue;
            }
            self.next = Next::Nothing;
            let mut lines = self.entries_without_place().await?;
            lines.extend(signatures.into_iter().map(Line::Signature));
            let head = head.or_else(|| (self.last.0 == 0).then(|| beginning(self.workspace.0)));
            lines.extend(head.map(|head| Line::End(End { sequence, hash: head.hash, complete: true })));
            return Ok(lines);
        }
    }

    fn entries(&self) -> Select<entity::audit_entry::Entity> {
        use entity::audit_entry::{Column, Entity};
        Entity::find().filter(Column::WorkspaceId.eq(self.workspace.0))
    }

    async fn next_entries(&self) -> Read<Vec<entity::audit_entry::Model>> {
        use entity::audit_entry::Column;
        let (sequence, position) = self.last;
        // Two entries with one number are not the server's doing, and must be seen all the same.
        let twin = Condition::all().add(Column::Sequence.eq(sequence)).add(Column::Position.gt(position));
        let mut query = self.entries().filter(Condition::any().add(Column::Sequence.gt(sequence)).add(twin));
        if let Some(bound) = self.bound {
            query = query.filter(Column::Sequence.lte(bound));
        }
        let query = query.order_by_asc(Column::Sequence).order_by_asc(Column::Position).limit(PAGE);
        match query.clone().all(&self.store.0.background).await {
            Ok(rows) => Ok(rows),
            Err(error) if is_unreadable(&error) => self.readable(query).await,
            Err(error) => Err(Stop::Failed(error.into())),
        }
    }

    /// The rows of a page before the one that cannot be read; if that is the first, where it should be.
    async fn readable(&self, page: Select<entity::audit_entry::Entity>) -> Read<Vec<entity::audit_entry::Model>> {
        use entity::audit_entry::{Column, Entity};
        let db = &self.store.0.background;
        let positions: Vec<i64> = page
            .select_only()
            .column(Column::Position)
            .into_tuple()
            .all(db)
            .await
            .map_err(|error| Stop::at(self.last.0 + 1, "its position", error))?;
        let mut rows = Vec::new();
        for position in positions {
            match Entity::find_by_id(position).one(db).await {
                Ok(row) => rows.extend(row),
                Err(error) if rows.is_empty() => return Err(Stop::at(self.last.0 + 1, "a value of it", error)),
                Err(_) => break,
            }
        }
        Ok(rows)
    }

    /// What somebody put into the table past the server.
    async fn entries_without_place(&self) -> Read<Vec<Line>> {
        let query = self.entries().filter(entity::audit_entry::Column::Sequence.is_null()).limit(PAGE);
        let failed = |error| Stop::at(0, "an entry without a number", error);
        let rows = query.all(&self.store.0.background).await.map_err(failed)?;
        Ok(rows.iter().map(|row| Line::Entry(Box::new(line(row, &[], false)))).collect())
    }

    async fn lines(&mut self, rows: Vec<entity::audit_entry::Model>) -> Read<Vec<Line>> {
        let (rows, values) = self.with_values(rows).await?;
        let up_to = rows.last().and_then(|row| row.sequence).unwrap_or_default();
        let mut signatures = self.signatures(up_to).await?.into_iter().peekable();
        let mut lines = Vec::with_capacity(rows.len());
        for row in rows {
            let sequence = row.sequence.unwrap_or_default();
            lines.extend(
                std::iter::from_fn(|| signatures.next_if(|next| next.sequence < sequence)).map(Line::Signature),
            );
            let misplaced = self.last.1 != i64::MAX && row.position < self.last.1;
            let own = values.get(&row.id).map(Vec::as_slice).unwrap_or_default();
            lines.push(Line::Entry(Box::new(line(&row, own, misplaced))));
            self.last = (sequence, row.position);
            self.hash = row.hash.unwrap_or_default();
        }
        lines.extend(signatures.map(Line::Signature));
        Ok(lines)
    }

    /// The rows before the first of which a personal value cannot be read, and the values of these.
    async fn with_values(
        &self,
        mut rows: Vec<entity::audit_entry::Model>,
    ) -> Read<(Vec<entity::audit_entry::Model>, Values)> {
        let db = &self.store.0.background;
        let error = match values_of(db, &rows).await {
            Ok(values) => return Ok((rows, values)),
            Err(error) => error,
        };
        if !is_unreadable(&error) {
            return Err(Stop::Failed(error.into()));
        }
        let mut values = Values::new();
        for number in 0..rows.len() {
            match values_of(db, &rows[number..=number]).await {
                Ok(own) => values.extend(own),
                Err(error) if number == 0 => {
                    let sequence = rows[0].sequence.unwrap_or_default();
                    return Err(Stop::at(sequence, "a personal value of it", error));
                }
                Err(_) => {
                    rows.truncate(number);
                    break;
                }
            }
        }
        Ok((rows, values))
    }

    /// The signatures after the last entry that was read, up to another.
    async fn signatures(&self, up_to: i64) -> Read<Vec<Signature>> {
        use entity::audit_signature::{Column, Entity};
        let query = Entity::find()
            .filter(Column::WorkspaceId.eq(self.workspace.0))
            .filter(Column::Sequence.gt(self.last.0))
            .filter(Column::Sequence.lte(up_to))
            .order_by_asc(Column::Sequence);
        let failed = |error| Stop::at(self.last.0 + 1, "a signature under it or a later entry", error);
        let rows = query.all(&self.store.0.background).await.map_err(failed)?;
        Ok(rows.into_iter().map(signature).collect())
    }

    async fn head(&self) -> Read<Option<entity::audit_head::Model>> {
        let query = entity::audit_head::Entity::find_by_id(self.workspace.0);
        let failed = |error| Stop::at(self.last.0.max(0) + 1, "the head of the log", error);
        query.one(&self.store.0.background).await.map_err(failed)
    }
}

pub(super) fn signature(row: entity::audit_signature::Model) -> Signature {
    Signature {
        workspace: WorkspaceId(row.workspace_id).to_string(),
        sequence: row.sequence,
        hash: row.hash,
        at: row.at,
        key: row.key,
        interval: row.interval_seconds.and_then(|seconds| u64::try_from(seconds).ok()),
        signature: row.signature,
    }
}

fn line(row: &entity::audit_entry::Model, values: &[entity::audit_value::Model], misplaced: bool) -> EntryLine {
    let shown: BTreeMap<String, PersonalValue> = values
        .iter()
        .map(|value| {
            let salt = data_encoding::HEXLOWER.encode(&value.salt);
            // What is no JSON any more is shown as the text that it is, and found to be changed.
            let parsed = serde_json::from_str(&value.value).unwrap_or_else(|_| value.value.clone().into());
            (value.part.clone(), PersonalValue { of: value.person_id.map(owner), salt, value: parsed })
        })
        .collect();
    let mut content = record(row).content();
    // As it is stored, even if this version cannot read it.
    content.insert("personal".to_owned(), row.personal.clone().unwrap_or_default());
    EntryLine { content, hash: row.hash.clone().unwrap_or_default(), values: shown, misplaced }
}

fn owner(id: uuid::Uuid) -> String {
    crate::domain::id::UserId(id).to_string()
}
