//! Reading the audit log. Only [`super::Tx`] writes to it, and nothing changes it.

use chrono::{DateTime, Utc};
use sea_orm::{ColumnTrait, EntityTrait, PaginatorTrait, QueryFilter, Select};

use super::{
    Range, Result, Store, actor,
    scoped::{by_id, of_workspace},
};
use crate::domain::{
    access::{Actor, Scope},
    audit::Action,
    id::{AuditEntryId, NodeId, WorkspaceId},
};

#[derive(Debug, Clone)]
pub struct AuditEntry {
    /// The entry's place in the log of the whole server: what cursors are made of.
    pub position: i64,
    pub id: AuditEntryId,
    pub workspace: WorkspaceId,
    pub at: DateTime<Utc>,
    pub actor: Actor,
    /// `None` for an action that a newer version of the server wrote.
    pub action: Option<Action>,
    pub subject: Option<NodeId>,
    pub address: Option<String>,
    pub details: serde_json::Value,
}

impl From<entity::audit_entry::Model> for AuditEntry {
    fn from(row: entity::audit_entry::Model) -> Self {
        Self {
            position: row.position,
            id: AuditEntryId(row.id),
            workspace: WorkspaceId(row.workspace_id),
            at: row.at,
            actor: actor::read(&row.actor_kind, row.actor_id),
            action: row.action.parse().ok(),
            subject: row.subject.and_then(|text| text.parse().ok()),
            address: row.address,
            details: row.details,
        }
    }
}

/// Which entries a list shows.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub actions: Vec<Action>,
    pub from: Option<DateTime<Utc>>,
    pub until: Option<DateTime<Utc>>,
}

fn filtered(scope: Scope, filter: &Filter) -> Select<entity::audit_entry::Entity> {
    use entity::audit_entry::{Column, Entity};
    let mut query = of_workspace::<Entity>(scope);
    if !filter.actions.is_empty() {
        query = query.filter(Column::Action.is_in(filter.actions.iter().map(|action| action.as_str())));
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
        Ok(query.all(self.read()).await?.into_iter().map(AuditEntry::from).collect())
    }

    pub async fn count_audit_entries(&self, scope: Scope, filter: &Filter) -> Result<u64> {
        Ok(filtered(scope, filter).count(self.read()).await?)
    }

    pub async fn audit_entry(&self, scope: Scope, id: AuditEntryId) -> Result<Option<AuditEntry>> {
        let query = by_id::<entity::audit_entry::Entity>(scope, [id.0]);
        Ok(query.one(self.read()).await?.map(AuditEntry::from))
    }

    /// Entries of all workspaces after a position, for the server's own watch over open connections.
    pub async fn audit_entries_of_server(&self, after: i64, limit: u64) -> Result<Vec<AuditEntry>> {
        let range = Range { above: Some(after), below: None, newest_first: false, limit };
        let query = range.of(entity::audit_entry::Entity::find(), entity::audit_entry::Column::Position);
        Ok(query.all(&self.0.background).await?.into_iter().map(AuditEntry::from).collect())
    }
}
