//! Ways in that somebody else has made to an account in use: for a time, what they open only reads.

use sea_orm_migration::{prelude::*, schema::boolean};

use crate::columns::time_null;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let columns = [
            ("session", time_null("held_until")),
            ("outside_identity", time_null("held_until")),
            // It is not known who made the links that there are, so they are taken for an admin's.
            ("sign_in_link", boolean("operator").default(false).to_owned()),
        ];
        for (table, column) in columns {
            manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
        }
        Ok(())
    }
}
