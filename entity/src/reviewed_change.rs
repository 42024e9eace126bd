//! A change of the policy, an agent or a workflow that people review.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "reviewed_change")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub checkpoint_id: Uuid,
    pub workspace_id: Uuid,
    /// When it was made, or found that it cannot be.
    pub done_at: Option<DateTimeUtc>,
    /// Why it could not be made.
    #[sea_orm(column_type = "Text", nullable)]
    pub problem: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
