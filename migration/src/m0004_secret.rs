//! Secrets of workspaces, sealed.

use sea_orm_migration::{
    prelude::*,
    schema::{binary, string, timestamp_with_time_zone, uuid, uuid_null},
};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut workspace = ForeignKey::create()
            .from_col("workspace_id")
            .to("workspace", "id")
            .on_delete(ForeignKeyAction::Cascade)
            .to_owned();
        let table = Table::create()
            .table("secret")
            .col(uuid("id").primary_key())
            .col(uuid("workspace_id"))
            .col(string("name"))
            .col(binary("sealed"))
            .col(timestamp_with_time_zone("created_at"))
            .col(timestamp_with_time_zone("updated_at"))
            .col(uuid_null("updated_by"))
            .foreign_key(&mut workspace)
            .to_owned();
        manager.create_table(table).await?;
        // Also the order of the list.
        let name =
            Index::create().name("secret_name").table("secret").col("workspace_id").col("name").unique().to_owned();
        manager.create_index(name).await
    }
}
