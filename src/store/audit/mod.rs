//! The audit log. Only [`write`] adds to it, for [`super::Tx`] and the journal; nothing changes it.

mod erase;
mod lines;
mod sign;
mod upgrade;
mod witness;
mod write;

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    Select, sea_query::Query,
};
use serde_json::Value;
use uuid::Uuid;

use super::{
    Range, Result, Store, actor, grouped,
    scoped::{by_id, of_workspace},
};
use crate::domain::{
    access::{Actor, Scope},
    audit::{Action, Part},
    id::{AuditEntryId, ExecutionId, NodeId, UserId, WorkspaceId},
};

pub use lines::Period;
pub use sign::Chain;
pub use witness::Witness;
pub(super) use write::{AUDIT_CHANNEL, write};

#[derive(Debug, Clone)]
pub struct AuditEntry {
    /// The entry's place in the log of the whole server: what cursors are made of.
    pub position: i64,
    pub id: AuditEntryId,
    pub workspace: WorkspaceId,
    /// Its place in the workspace's chain.
    pub sequence: i64,
    pub previous: String,
    pub hash: String,
    pub at: DateTime<Utc>,
    pub actor: Actor,
    /// The person behind the actor.
    pub person: Option<UserId>,
    pub on_behalf_of: Option<UserId>,
    /// `None` for an action that a newer version of the server wrote.
    pub action: Option<Action>,
    pub subject: Option<NodeId>,
    pub execution: Option<ExecutionId>,
    pub digest: Option<String>,
    pub details: Value,
    pub before: Option<Value>,
    pub after: Option<Value>,
    /// Personal values, by part.
    pub values: HashMap<Part, Value>,
    /// The parts that have been erased.
    pub erased: Vec<String>,
}

impl AuditEntry {
    fn new(row: entity::audit_entry::Model, values: &[entity::audit_value::Model]) -> Self {
        let promised = row.personal.as_ref().and_then(Value::as_object);
        let promised = promised.into_iter().flat_map(|parts| parts.keys());
        let erased = promised.filter(|part| !values.iter().any(|value| value.part == **part)).cloned().collect();
        let known = values.iter().filter_map(|value| {
            Some((value.part.parse().ok()?, serde_json::from_str(&value.value).unwrap_or_default()))
        });
        Self {
            position: row.position,
            id: AuditEntryId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            sequence: row.sequence.unwrap_or_default(),
            previous: row.previous.unwrap_or_default(),
            hash: row.hash.unwrap_or_default(),
            at: row.at,
            actor: actor::read(&row.actor_kind, row.actor_id),
            person: row.person_id.map(UserId),
            on_behalf_of: row.on_behalf_of.map(UserId),
            action: row.action.parse().ok(),
            subject: row.subject.and_then(|text| text.parse().ok()),
            execution: row.execution_id.map(ExecutionId),
            digest: row.digest,
            details: row.details,
            before: row.before,
            after: row.after,
            values: known.collect(),
            erased,
        }
    }
}

/// Personal values, by entry.
type Values = HashMap<Uuid, Vec<entity::audit_value::Model>>;

/// The personal values of entries.
async fn values_of(
    db: &impl ConnectionTrait,
    rows: &[entity::audit_entry::Model],
) -> std::result::Result<Values, DbErr> {
    use entity::audit_value::{Column, Entity};
    if rows.is_empty() {
        return Ok(HashMap::new());
    }
    let query = Entity::find().filter(Column::EntryId.is_in(rows.iter().map(|row| row.id)));
    Ok(grouped(query.all(db).await?.into_iter().map(|value| (value.entry_id, value))))
}

/// Rows with their personal values.
async fn complete(db: &impl ConnectionTrait, rows: Vec<entity::audit_entry::Model>) -> Result<Vec<AuditEntry>> {
    let values = values_of(db, &rows).await?;
    let of = |id: &Uuid| values.get(id).map(Vec::as_slice).unwrap_or_default();
    Ok(rows
        .into_iter()
        .map(|row| {
            let own = of(&row.id);
            AuditEntry::new(row, own)
        })
        .collect())
}

/// Which entries a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub actions: Vec<Action>,
    /// A person, also through their tokens, or a token.
    pub actor: Option<Actor>,
    pub subject: Option<NodeId>,
    pub execution: Option<ExecutionId>,
    pub from: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
}

fn filtered(scope: Scope, filter: &Filter) -> Select<entity::audit_entry::Entity> {
    use entity::audit_entry::{Column, Entity};
    let mut query = of_workspace::<Entity>(scope);
    if !filter.actions.is_empty() {
        query = query.filter(Column::Action.is_in(filter.actions.iter().map(|action| action.as_str())));
    }
    match filter.actor {
        Some(Actor::User(id)) => query = query.filter(Column::PersonId.eq(id.0)),
        Some(Actor::ApiToken(id)) => query = query.filter(Column::ActorId.eq(id.0)),
        Some(Actor::System) => query = query.filter(Column::ActorId.is_null()),
        None => {}
    }
    if let Some(subject) = filter.subject {
        query = query.filter(Column::Subject.eq(subject.to_string()));
    }
    if let Some(execution) = filter.execution {
        query = query.filter(Column::ExecutionId.eq(execution.0));
    }
    if let Some(from) = filter.from {
        query = query.filter(Column::At.gte(from));
    }
    if let Some(until) = filter.until {
        query = query.filter(Column::At.lt(until));
    }
    query
}

impl Store {
    pub async fn audit_entries(&self, scope: Scope, filter: &Filter, range: Range) -> Result<Vec<AuditEntry>> {
        let query = range.of(filtered(scope, filter), entity::audit_entry::Column::Position);
        complete(self.read(), query.all(self.read()).await?).await
    }

    pub async fn count_audit_entries(&self, scope: Scope, filter: &Filter) -> Result<u64> {
        Ok(filtered(scope, filter).count(self.read()).await?)
    }

    pub async fn audit_entry(&self, scope: Scope, id: AuditEntryId) -> Result<Option<AuditEntry>> {
        let query = by_id::<entity::audit_entry::Entity>(scope, [id.0]);
        Ok(complete(self.read(), query.all(self.read()).await?).await?.pop())
    }

    /// The entries about some executions with these actions, each list in the order of the chain.
    pub async fn audit_entries_of_executions(
        &self,
        scope: Scope,
        executions: &[ExecutionId],
        actions: &[Action],
    ) -> Result<HashMap<ExecutionId, Vec<AuditEntry>>> {
        use entity::audit_entry::Column;
        let query = of_workspace::<entity::audit_entry::Entity>(scope)
            .filter(Column::ExecutionId.is_in(executions.iter().map(|id| id.0)))
            .filter(Column::Action.is_in(actions.iter().map(|action| action.as_str())))
            .order_by_asc(Column::Sequence);
        let entries = complete(self.read(), query.all(self.read()).await?).await?;
        Ok(grouped(entries.into_iter().filter_map(|entry| Some((entry.execution?, entry)))))
    }

    /// Some entries with these actions that are about executions of which there is no row.
    pub async fn audit_entries_without_execution(
        &self,
        scope: Scope,
        actions: &[Action],
        limit: u64,
    ) -> Result<Vec<AuditEntry>> {
        use entity::audit_entry::Column;
        let there = Query::select().column(entity::execution::Column::Id).from(entity::execution::Entity).to_owned();
        let query = of_workspace::<entity::audit_entry::Entity>(scope)
            .filter(Column::Action.is_in(actions.iter().map(|action| action.as_str())))
            .filter(Condition::any().add(Column::ExecutionId.is_null()).add(Column::ExecutionId.not_in_subquery(there)))
            .order_by_asc(Column::Sequence)
            .limit(limit);
        Ok(query.all(self.read()).await?.into_iter().map(|row| AuditEntry::new(row, &[])).collect())
    }

    /// Entries of all workspaces after a position, without what is personal, for the server's own watch over open
    /// connections.
    pub async fn audit_entries_of_server(&self, after: i64, limit: u64) -> Result<Vec<AuditEntry>> {
        let range = Range { above: Some(after), below: None, newest_first: false, limit };
        let query = range.of(entity::audit_entry::Entity::find(), entity::audit_entry::Column::Position);
        let rows = query.all(&self.0.background).await?;
        Ok(rows.into_iter().map(|row| AuditEntry::new(row, &[])).collect())
    }
}
