//! A workspace's audit log as lines, for exports and for whoever verifies it: in pages, so that it may be of any length.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat, Utc};
use futures_util::{Stream, StreamExt, stream};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select};

use super::{
    values_of,
    write::{beginning, record},
};
use crate::{
    domain::{
        audit::{End, EntryLine, Head, Line, PersonalValue, Signature},
        id::WorkspaceId,
    },
    store::{Result, Store, workspaces::Workspace},
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
        let reader = Reader {
            store: self.clone(),
            workspace,
            bound: None,
            last: (0, 0),
            hash: beginning(uuid::Uuid::nil()).hash,
            seen: 0,
            next: Next::Begin(period, now),
        };
        let pages = stream::unfold(reader, |mut reader| async move {
            let page: Vec<Result<Line>> = match reader.read().await {
                Ok(Some(lines)) => lines.into_iter().map(Ok).collect(),
                Ok(None) => return None,
                Err(error) => {
                    reader.next = Next::Nothing;
                    vec![Err(error)]
                }
            };
            Some((stream::iter(page), reader))
        });
        pages.flatten()
    }
}

enum Next {
    Begin(Period, DateTime<Utc>),
    Page,
    Nothing,
}

struct Reader {
    store: Store,
    workspace: Workspace,
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
    async fn read(&mut self) -> Result<Option<Vec<Line>>> {
        match self.next {
            Next::Begin(period, now) => self.begin(period, now).await.map(Some),
            Next::Page => self.page().await.map(Some),
            Next::Nothing => Ok(None),
        }
    }

    async fn begin(&mut self, period: Period, now: DateTime<Utc>) -> Result<Vec<Line>> {
        use entity::audit_entry::Column;
        let (db, of_time) = (&self.store.0.background, self.entries().select_only());
        self.seen = self.head().await?.map_or(0, |head| head.sequence);
        let mut first = 1;
        if let Some(from) = period.from {
            let query = of_time.clone().column_as(Column::Sequence.min(), "first").filter(Column::At.gte(from));
            first = query.into_tuple::<Option<i64>>().one(db).await?.flatten().unwrap_or(self.seen + 1);
        }
        if let Some(until) = period.until {
            let query = of_time.column_as(Column::Sequence.max(), "last").filter(Column::At.lt(until));
            self.bound = Some(query.into_tuple::<Option<i64>>().one(db).await?.flatten().unwrap_or(0).max(first - 1));
        }
        // Positions before the first one do not matter.
        self.last = (first - 1, i64::MAX);
        self.next = Next::Page;
        let exported_at = now.to_rfc3339_opts(SecondsFormat::Micros, true);
        let (workspace, slug) = (self.workspace.id.to_string(), self.workspace.slug.clone());
        Ok(vec![Line::Head(Head::new(workspace, slug, exported_at, first))])
    }

    /// The next entries with their signatures, or the end.
    async fn page(&mut self) -> Result<Vec<Line>> {
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
            let head = head.or_else(|| (self.last.0 == 0).then(|| beginning(self.workspace.id.0)));
            lines.extend(head.map(|head| Line::End(End { sequence, hash: head.hash, complete: true })));
            return Ok(lines);
        }
    }

    fn entries(&self) -> Select<entity::audit_entry::Entity> {
        use entity::audit_entry::{Column, Entity};
        Entity::find().filter(Column::WorkspaceId.eq(self.workspace.id.0))
    }

    async fn next_entries(&self) -> Result<Vec<entity::audit_entry::Model>> {
        use entity::audit_entry::Column;
        let (sequence, position) = self.last;
        // Two entries with one number are not the server's doing, and must be seen all the same.
        let twin = Condition::all().add(Column::Sequence.eq(sequence)).add(Column::Position.gt(position));
        let mut query = self.entries().filter(Condition::any().add(Column::Sequence.gt(sequence)).add(twin));
        if let Some(bound) = self.bound {
            query = query.filter(Column::Sequence.lte(bound));
        }
        let query = query.order_by_asc(Column::Sequence).order_by_asc(Column::Position).limit(PAGE);
        Ok(query.all(&self.store.0.background).await?)
    }

    /// What somebody put into the table past the server.
    async fn entries_without_place(&self) -> Result<Vec<Line>> {
        let query = self.entries().filter(entity::audit_entry::Column::Sequence.is_null()).limit(PAGE);
        let rows = query.all(&self.store.0.background).await?;
        Ok(rows.iter().map(|row| Line::Entry(Box::new(line(row, &[], false)))).collect())
    }

    async fn lines(&mut self, rows: Vec<entity::audit_entry::Model>) -> Result<Vec<Line>> {
        let values = values_of(&self.store.0.background, &rows).await?;
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

    /// The signatures after the last entry that was read, up to another.
    async fn signatures(&self, up_to: i64) -> Result<Vec<Signature>> {
        use entity::audit_signature::{Column, Entity};
        let query = Entity::find()
            .filter(Column::WorkspaceId.eq(self.workspace.id.0))
            .filter(Column::Sequence.gt(self.last.0))
            .filter(Column::Sequence.lte(up_to))
            .order_by_asc(Column::Sequence);
        Ok(query.all(&self.store.0.background).await?.into_iter().map(signature).collect())
    }

    async fn head(&self) -> Result<Option<entity::audit_head::Model>> {
        let query = entity::audit_head::Entity::find_by_id(self.workspace.id.0);
        Ok(query.one(&self.store.0.background).await?)
    }
}

pub(super) fn signature(row: entity::audit_signature::Model) -> Signature {
    Signature {
        workspace: WorkspaceId(row.workspace_id).to_string(),
        sequence: row.sequence,
        hash: row.hash,
        at: row.at,
        key: row.key,
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
