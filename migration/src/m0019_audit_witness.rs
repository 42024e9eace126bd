//! The audit log's entries cover its signatures, and witnesses outside the database see its signed heads.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, big_integer_null, string, string_null, text, text_null, uuid},
    sea_orm::DbBackend,
};

use crate::columns::{owned_by, time, time_null};

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column) in [
            ("audit_entry", string_null("seal")),
            ("audit_head", string_null("seal")),
            ("audit_signature", big_integer_null("interval_seconds")),
        ] {
            manager.alter_table(Table::alter().table(table).add_column(column).to_owned()).await?;
        }
        for mut table in [audit_witness(), witnessed_head()] {
            if manager.get_database_backend() == DbBackend::Sqlite {
                table.extra("WITHOUT ROWID");
            }
            manager.create_table(table).await?;
        }
        Ok(())
    }
}

/// What a place outside the database was last told of a chain.
fn audit_witness() -> TableCreateStatement {
    Table::create()
        .table("audit_witness")
        .col(uuid("workspace_id"))
        .col(string("place"))
        .col(big_integer_null("sequence"))
        .col(string_null("hash"))
        .col(time_null("witnessed_at"))
        .col(time_null("failed_at"))
        .col(text_null("failure"))
        .col(big_integer("failures").default(0))
        .primary_key(Index::create().col("workspace_id").col("place"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}

/// Signed heads of other servers' chains, which they asked this one to remember.
fn witnessed_head() -> TableCreateStatement {
    Table::create()
        .table("witnessed_head")
        .col(uuid("workspace_id"))
        .col(string("of_workspace"))
        .col(big_integer("sequence"))
        .col(string("hash"))
        .col(text("head"))
        .col(time("received_at"))
        .primary_key(Index::create().col("workspace_id").col("of_workspace").col("sequence").col("hash"))
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}
