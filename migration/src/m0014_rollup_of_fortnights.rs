//! Rollups of whole fortnights. The server adds them up from those that are there when it starts.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, binary, integer, string, uuid},
    sea_orm::DbBackend,
};

use crate::columns::{owned_by, word};

const RESOLUTIONS: [&str; 5] = ["QUARTER", "QUARTER_TOTAL", "DAY", "FORTNIGHT", "FORTNIGHT_TOTAL"];
const KEY: [&str; 9] =
    ["workspace_id", "resolution", "measure", "slot", "workflow_id", "agent_id", "person_id", "rule", "word"];
const AMOUNTS: [&str; 6] = ["count", "micros", "llm_calls", "tokens", "cost_micros", "durations"];

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    /// Or a crash would leave SQLite with half of it.
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        match manager.get_database_backend() {
            DbBackend::Postgres => {
                let words = RESOLUTIONS.map(|word| format!("'{word}'")).join(", ");
                let check = format!(
                    "ALTER TABLE rollup DROP CONSTRAINT rollup_resolution_check, \
                     ADD CONSTRAINT rollup_resolution_check CHECK (resolution IN ({words}))"
                );
                manager.get_connection().execute_unprepared(&check).await?;
                Ok(())
            }
            _ => write_anew(manager).await,
        }
    }
}

/// SQLite can only change a table's checks by writing the table anew.
async fn write_anew(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    manager.create_table(rollup().extra("WITHOUT ROWID").to_owned()).await?;
    let columns = || KEY.into_iter().chain(AMOUNTS);
    let rows = Query::select().columns(columns()).from("rollup").to_owned();
    let mut copy = Query::insert();
    copy.into_table("rollup_anew")
        .columns(columns())
        .select_from(rows)
        .map_err(|error| DbErr::Custom(error.to_string()))?;
    manager.get_connection().execute(&copy).await?;
    manager.drop_table(Table::drop().table("rollup").to_owned()).await?;
    manager.rename_table(Table::rename().table("rollup_anew", "rollup").to_owned()).await
}

fn rollup() -> TableCreateStatement {
    let mut key = Index::create();
    KEY.iter().for_each(|column| {
        key.col(*column);
    });
    Table::create()
        .table("rollup_anew")
        .col(uuid("workspace_id"))
        .col(word("resolution", RESOLUTIONS))
        .col(string("measure"))
        .col(integer("slot"))
        .col(uuid("workflow_id"))
        .col(uuid("agent_id"))
        .col(uuid("person_id"))
        .col(string("rule"))
        .col(string("word"))
        .col(big_integer("count"))
        .col(big_integer("micros"))
        .col(big_integer("llm_calls"))
        .col(big_integer("tokens"))
        .col(big_integer("cost_micros"))
        .col(binary("durations"))
        .primary_key(&mut key)
        .foreign_key(&mut owned_by("workspace", "workspace_id"))
        .to_owned()
}
