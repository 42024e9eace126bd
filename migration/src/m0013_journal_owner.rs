//! A line of the journal belongs to its execution, and an execution to its workspace: PostgreSQL need not look for the
//! workspace of each line as well. SQLite can only forget a key by writing the whole table anew, and looks quickly.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() != DbBackend::Postgres {
            return Ok(());
        }
        let table = Table::alter().table("journal").drop_foreign_key("journal_workspace_id_fkey").to_owned();
        manager.alter_table(table).await
    }
}
