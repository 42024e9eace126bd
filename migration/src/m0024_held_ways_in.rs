//! Ways in that somebody else has made to an account in use: what they open only reads.

use sea_orm_migration::{prelude::*, schema::boolean};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let columns = [
            ("session", boolean("held").default(false).to_owned()),
            ("outside_identity", boolean("held").default(false).to_owned()),
            // It is not known who made the links that there are, so they are taken for an admin's.
            ("sign_in_link", boolean("operator").default(false).to_owned()),
        ];
        for (table, column) in columns {
            manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
