//! Changes of the policy, agents and workflows that people review: whether each was made once it was approved.

use sea_orm_migration::{
    prelude::*,
    schema::{text_null, uuid},
};

use crate::columns::{index, owned_by, time_null};

const TABLE: &str = "reviewed_change";

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table(TABLE)
            .col(uuid("checkpoint_id").primary_key())
            .col(uuid("workspace_id"))
            .col(time_null("done_at"))
            .col(text_null("problem"))
            .foreign_key(&mut owned_by("workspace", "workspace_id"))
            .to_owned();
        manager.create_table(table).await?;
        manager.create_index(index("reviewed_change_open", TABLE, &["done_at"])).await
    }
}
