//! Signatures under the chains.

use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};

use super::{lines::signature, write::lock};
use crate::{
    domain::{access::Scope, audit::Signature, id::WorkspaceId},
    store::{Result, Store, Tx},
};

/// Where a workspace's chain is.
#[derive(Debug, Clone)]
pub struct Chain {
    /// The number of the last entry, and its hash.
    pub sequence: i64,
    pub hash: String,
    /// The latest signature.
    pub signature: Option<Signature>,
}

impl Store {
    /// The chains with so many entries that are not under a signature; with 0, all.
    pub async fn unsigned_audit_chains(&self, entries: i64) -> Result<Vec<WorkspaceId>> {
        use entity::audit_head::{Column, Entity};
        let unsigned = Expr::col(Column::Sequence).sub(Expr::col(Column::Signed));
        // A head that claims more signatures than there are entries is not the server's doing: it is looked at.
        let wrong = Expr::col(Column::Signed).gt(Expr::col(Column::Sequence));
        let query = Entity::find().select_only().column(Column::WorkspaceId);
        let query = query.filter(unsigned.gte(entries).or(wrong)).order_by_asc(Column::WorkspaceId);
        let ids: Vec<uuid::Uuid> = query.into_tuple().all(&self.0.background).await?;
        Ok(ids.into_iter().map(WorkspaceId).collect())
    }

    /// The signature that covers most of a chain.
    pub async fn latest_audit_signature(&self, workspace: WorkspaceId) -> Result<Option<Signature>> {
        use entity::audit_signature::{Column, Entity};
        let query = Entity::find().filter(Column::WorkspaceId.eq(workspace.0)).order_by_desc(Column::Sequence);
        Ok(query.limit(1).one(&self.0.background).await?.map(signature))
    }

    /// Where the workspace's chain is.
    pub async fn audit_chain(&self, scope: Scope) -> Result<Option<Chain>> {
        let workspace = scope.workspace();
        let Some(head) = entity::audit_head::Entity::find_by_id(workspace.0).one(self.read()).await? else {
            return Ok(None);
        };
        let signature = self.latest_audit_signature(workspace).await?;
        Ok(Some(Chain { sequence: head.sequence, hash: head.hash, signature }))
    }

    /// The public keys that ever signed, and when each was first used.
    pub async fn audit_keys(&self) -> Result<Vec<(String, String)>> {
        use entity::audit_signature::{Column, Entity};
        let query = Entity::find()
            .select_only()
            .column(Column::Key)
            .column_as(Column::At.min(), "since")
            .group_by(Column::Key)
            .order_by_asc(Column::At.min());
        Ok(query.into_tuple().all(&self.0.background).await?)
    }
}

impl Tx {
    /// Keeps everybody else from writing to the audit log until the transaction ends.
    pub async fn lock_audit_log(&self) -> Result<()> {
        lock(&self.db).await
    }

    /// Puts a signature under a chain's last entry. The next entry covers it.
    pub async fn put_audit_signature(&self, workspace: WorkspaceId, signed: Signature) -> Result<()> {
        use entity::{audit_head, audit_signature};
        let head = audit_head::ActiveModel {
            signed: Set(signed.sequence),
            seal: Set(Some(signed.seal())),
            ..Default::default()
        };
        let row = audit_signature::Model {
            workspace_id: workspace.0,
            sequence: signed.sequence,
            hash: signed.hash,
            at: signed.at,
            key: signed.key,
            interval_seconds: signed.interval.and_then(|seconds| i64::try_from(seconds).ok()),
            signature: signed.signature,
        };
        audit_signature::Entity::insert(row.into_active_model()).exec_without_returning(&self.db).await?;
        let query = audit_head::Entity::update_many().set(head);
        query.filter(audit_head::Column::WorkspaceId.eq(workspace.0)).exec(&self.db).await?;
        Ok(())
    }

    /// Says that a chain is signed up to an entry, where the head says otherwise.
    pub async fn note_audit_signature(&self, workspace: WorkspaceId, signed: i64) -> Result<()> {
        use entity::audit_head::{ActiveModel, Column, Entity};
        let head = ActiveModel { signed: Set(signed), ..Default::default() };
        let query = Entity::update_many().set(head).filter(Column::WorkspaceId.eq(workspace.0));
        query.exec(&self.db).await?;
        Ok(())
    }
}
