//! Long lines of the journal are kept compressed.

use sea_orm_migration::{prelude::*, schema::binary_null};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("journal").add_column(binary_null("packed")).to_owned()).await
    }
}
