//! Chains what versions before the chain wrote, in its order, before anything else is done.

use std::{collections::BTreeMap, sync::PoisonError};

use sea_orm::{
    ActiveValue::{Set, Unchanged},
    ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::Query,
};
use serde_json::json;
use uuid::Uuid;

use super::{
    values_of,
    write::{beginning, lock, promise, put_heads, record},
};
use crate::{
    domain::id::{UserId, WorkspaceId},
    store::{Result, Store, Tx},
};

const PAGE: u64 = 500;

impl Store {
    /// For a database from before the chains: what is put beside a chain later never gets into it.
    pub(in crate::store) async fn chain_old_audit_entries(&self) -> Result<()> {
        use entity::{audit_head, workspace};
        let chained = Query::select().column(audit_head::Column::WorkspaceId).from(audit_head::Entity).to_owned();
        let query = workspace::Entity::find().select_only().column(workspace::Column::Id);
        let old: Vec<Uuid> =
            query.filter(workspace::Column::Id.not_in_subquery(chained)).into_tuple().all(&self.0.background).await?;
        for workspace in old {
            // All or nothing: a log whose chain was begun would be taken for one that has been changed.
            let tx = self.begin(chrono::DateTime::UNIX_EPOCH).await?;
            tx.chain_old_audit_entries(workspace).await?;
            tx.commit().await?;
            self.0.chained.lock().unwrap_or_else(PoisonError::into_inner).insert(workspace);
        }
        Ok(())
    }

    /// Whether this process has chained the log of a workspace, so that nobody can have signed it.
    pub fn has_chained_audit_log(&self, workspace: WorkspaceId) -> bool {
        self.0.chained.lock().unwrap_or_else(PoisonError::into_inner).contains(&workspace.0)
    }
}

impl Tx {
    async fn chain_old_audit_entries(&self, workspace: Uuid) -> Result<()> {
        use entity::audit_entry::{ActiveModel, Column, Entity};
        lock(&self.db).await?;
        // Another server may have been faster.
        if entity::audit_head::Entity::find_by_id(workspace).one(&self.db).await?.is_some() {
            return Ok(());
        }
        let (mut head, mut position) = (beginning(workspace), 0);
        loop {
            let query = Entity::find().filter(Column::WorkspaceId.eq(workspace)).filter(Column::Position.gt(position));
            let rows = query.order_by_asc(Column::Position).limit(PAGE).all(&self.db).await?;
            let Some(last) = rows.last() else { break };
            position = last.position;
            let mut values = values_of(&self.db, &rows).await?;
            for row in rows {
                let own = values.remove(&row.id).unwrap_or_default();
                let personal: BTreeMap<_, _> = own.iter().map(|value| (value.part.clone(), promise(value))).collect();
                let person = row.actor_id.filter(|_| row.actor_kind == "USER");
                let mut link = record(&row);
                link.sequence = head.sequence + 1;
                link.previous = std::mem::take(&mut head.hash);
                link.person = person.map(UserId);
                link.personal = personal;
                head.sequence = link.sequence;
                head.hash = link.hash();
                let row = ActiveModel {
                    position: Unchanged(row.position),
                    sequence: Set(Some(link.sequence)),
                    previous: Set(Some(link.previous)),
                    hash: Set(Some(head.hash.clone())),
                    person_id: Set(person),
                    personal: Set(Some(json!(link.personal))),
                    ..Default::default()
                };
                Entity::update(row).exec(&self.db).await?;
            }
        }
        if head.sequence > 0 {
            put_heads(&self.db, [head]).await?;
        }
        Ok(())
    }
}
