//! Lines of the journal that were written together share a row, which says how many they are.

use sea_orm_migration::{prelude::*, schema::integer};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut lines = integer("lines");
        manager.alter_table(Table::alter().table("journal").add_column(lines.default(1)).to_owned()).await
    }
}
