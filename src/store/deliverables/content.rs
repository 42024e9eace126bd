//! The bytes of what is kept in the database.

use std::collections::HashMap;

use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait, Func},
};
use uuid::Uuid;

use super::read::own;
use crate::{
    domain::{
        access::Scope,
        deliverable::Storage,
        id::{DeliverableId, WorkspaceId},
    },
    store::{Result, Store, together::MOST_PARTS},
};

/// The first bytes of content.
pub type Head = Vec<u8>;

impl Store {
    /// The whole content of a version.
    pub async fn body(&self, scope: Scope, id: DeliverableId, number: i32) -> Result<Option<Vec<u8>>> {
        use entity::deliverable_body::{Column, Entity};
        let own = own(scope, [id]);
        let query = Entity::find_by_id((id.0, number)).filter(Column::DeliverableId.in_subquery(own));
        Ok(query.one(self.read()).await?.map(|row| row.body))
    }

    /// How many bytes of content a workspace has, inline and in files.
    pub async fn stored_bytes(&self, workspace: WorkspaceId) -> Result<u64> {
        use entity::deliverable_version::{Column, Entity};
        let own = entity::deliverable::Entity::find()
            .select_only()
            .column(entity::deliverable::Column::Id)
            .filter(entity::deliverable::Column::WorkspaceId.eq(workspace.0))
            .into_query();
        // A file that was deleted has no key any more.
        let kept = Column::ObjectKey.is_not_null().or(Column::Storage.eq(Storage::Inline.as_str()));
        let sum = Expr::col(Column::Size).sum().cast_as("BIGINT");
        let query = Entity::find().select_only().expr_as(sum, "bytes").filter(Column::DeliverableId.in_subquery(own));
        let bytes: Option<Option<i64>> = query.filter(kept).into_tuple().one(self.read()).await?;
        Ok(bytes.flatten().unwrap_or_default().unsigned_abs())
    }

    /// The first bytes of many contents, each up to a length.
    pub async fn heads(
        &self,
        scope: Scope,
        wanted: &[(DeliverableId, i32)],
        length: usize,
    ) -> Result<HashMap<(DeliverableId, i32), Head>> {
        use entity::deliverable_body::{Column, Entity};
        let mut found = HashMap::new();
        for chunk in wanted.chunks(MOST_PARTS) {
            let mut any = sea_orm::Condition::any();
            for (id, number) in chunk {
                any = any.add(Column::DeliverableId.eq(id.0).and(Column::Number.eq(*number)));
            }
            let length = i32::try_from(length).unwrap_or(i32::MAX);
            let head = Func::cust("substr").args([Expr::col(Column::Body), Expr::val(1), Expr::val(length)]);
            let own = own(scope, chunk.iter().map(|(id, _)| *id));
            let query = Entity::find()
                .select_only()
                .columns([Column::DeliverableId, Column::Number])
                .expr_as(head, "head")
                .filter(any)
                .filter(Column::DeliverableId.in_subquery(own));
            let rows: Vec<(Uuid, i32, Vec<u8>)> = query.into_tuple().all(self.read()).await?;
            found.extend(rows.into_iter().map(|(id, number, head)| ((DeliverableId(id), number), head)));
        }
        Ok(found)
    }
}
