//! A step's work that waits for somebody, or is in somebody's hands.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "task")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub workspace_id: Uuid,
    pub execution_id: Uuid,
    pub step: i32,
    pub attempt: i32,
    pub agent_id: Uuid,
    /// Where workers find it; none for what servers do themselves.
    pub queue: Option<String>,
    pub state: String,
    pub available_at: i64,
    pub lease_id: Option<Uuid>,
    pub lease_until: Option<i64>,
    pub worker_id: Option<String>,
    pub progress: Option<f64>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
