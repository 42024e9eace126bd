//! Who may decide about checkpoints, by name.

use sea_orm::{
    ColumnTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait,
    sea_query::{Expr, ExprTrait},
};

use super::{Result, Store, Tx};
use crate::domain::{
    access::Scope,
    checkpoint::{Audience, Status},
};

/// How [`Barred::Decided`](crate::domain::checkpoint::Barred::Decided) is written.
const DECIDED: &str = "\"decided\"";

impl Store {
    /// The audiences of a workspace.
    pub async fn audiences(&self, scope: Scope) -> Result<Vec<Audience>> {
        use entity::audience::{Column, Entity};
        let rows = Entity::find().filter(Column::WorkspaceId.eq(scope.workspace().0)).all(self.read()).await?;
        let read = |row: entity::audience::Model| {
            let (members, barred) = (serde_json::from_str(&row.members), serde_json::from_str(&row.barred));
            Audience { name: row.name, members: members.unwrap_or_default(), barred: barred.unwrap_or_default() }
        };
        Ok(rows.into_iter().map(read).collect())
    }
}

impl Tx {
    /// Forgets who has yet to decide about what waits no longer: for each combination of people who have, there is an
    /// audience. Nobody may append meanwhile.
    pub async fn forget_audiences(&self) -> Result<()> {
        use entity::{audience, checkpoint};
        let own = |column: checkpoint::Column| Expr::col((checkpoint::Entity, column));
        let waiting = checkpoint::Entity::find()
            .select_only()
            .expr(Expr::value(1))
            .filter(own(checkpoint::Column::WorkspaceId).equals((audience::Entity, audience::Column::WorkspaceId)))
            .filter(own(checkpoint::Column::Status).eq(Status::Pending.as_str()))
            .filter(own(checkpoint::Column::Audience).equals((audience::Entity, audience::Column::Name)));
        audience::Entity::delete_many()
            .filter(audience::Column::Barred.contains(DECIDED))
            .filter(Expr::exists(QueryTrait::into_query(waiting)).not())
            .exec(&self.db)
            .await?;
        Ok(())
    }
}
