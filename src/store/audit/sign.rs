//! Signatures under the chains.

use sea_orm::{
    ColumnTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait},
};

use super::{lines::signature, write::lock};
use crate::{
    domain::{access::Scope, audit::Signature, id::WorkspaceId},
    store::{Result, Store, Tx, journal::chunks},
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

fn unsigned(entries: i64) -> sea_orm::Select<entity::audit_head::Entity> {
    use entity::audit_head::{Column, Entity};
    Entity::find().filter(Expr::col(Column::Sequence).sub(Expr::col(Column::Signed)).gte(Ord::max(entries, 1)))
}

impl Store {
    /// Whether a chain has so many entries that are not under a signature.
    pub async fn has_unsigned_audit_entries(&self, entries: i64) -> Result<bool> {
        Ok(unsigned(entries).one(&self.0.background).await?.is_some())
    }

    /// Where the workspace's chain is.
    pub async fn audit_chain(&self, scope: Scope) -> Result<Option<Chain>> {
        use entity::audit_signature::{Column, Entity};
        let workspace = scope.workspace().0;
        let Some(head) = entity::audit_head::Entity::find_by_id(workspace).one(self.read()).await? else {
            return Ok(None);
        };
        let latest = Entity::find().filter(Column::WorkspaceId.eq(workspace)).order_by_desc(Column::Sequence).limit(1);
        let latest = latest.one(self.read()).await?.map(signature);
        Ok(Some(Chain { sequence: head.sequence, hash: head.hash, signature: latest }))
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
    /// Signs every chain that has so many entries which are not under a signature.
    pub async fn sign_audit_log(
        &self,
        entries: i64,
        sign: impl Fn(WorkspaceId, i64, &str) -> Signature,
    ) -> Result<usize> {
        use entity::{audit_head, audit_signature};
        lock(&self.db).await?;
        let heads = unsigned(entries).all(&self.db).await?;
        let rows = heads.iter().map(|head| {
            let signed = sign(WorkspaceId(head.workspace_id), head.sequence, &head.hash);
            audit_signature::Model {
                workspace_id: head.workspace_id,
                sequence: head.sequence,
                hash: signed.hash,
                at: signed.at,
                key: signed.key,
                signature: signed.signature,
            }
        });
        for chunk in chunks(rows.map(IntoActiveModel::into_active_model)) {
            audit_signature::Entity::insert_many(chunk).exec_without_returning(&self.db).await?;
        }
        for chunk in chunks(heads.iter().map(|head| head.workspace_id)) {
            audit_head::Entity::update_many()
                .col_expr(audit_head::Column::Signed, Expr::col(audit_head::Column::Sequence))
                .filter(audit_head::Column::WorkspaceId.is_in(chunk))
                .exec(&self.db)
                .await?;
        }
        Ok(heads.len())
    }
}
