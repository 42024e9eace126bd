//! Rollups: the figures of analytics, added up as the journal is written.

use sea_orm_migration::{
    prelude::*,
    schema::{big_integer, binary, integer, string, uuid},
    sea_orm::DbBackend,
};

use crate::columns::{owned_by, word};

const RESOLUTIONS: [&str; 3] = ["QUARTER", "QUARTER_TOTAL", "DAY"];
const KEY: [&str; 9] =
    ["workspace_id", "resolution", "measure", "slot", "workflow_id", "agent_id", "person_id", "rule", "word"];

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut rollup = rollup();
        match manager.get_database_backend() {
            // Rows are read in the order of their key: no second tree.
            DbBackend::Sqlite => rollup.extra("WITHOUT ROWID"),
            // A row is rewritten again and again while its time lasts: with room beside it, the index stays as it is.
            DbBackend::Postgres => rollup.extra("WITH (fillfactor = 70)"),
            _ => &mut rollup,
        };
        manager.create_table(rollup).await?;
        manager.create_table(rollup_backlog()).await?;
        // What happened before there were rollups is counted when the server runs.
        let executions = Query::select().columns(["id", "seq"]).from("execution").to_owned();
        let mut backlog = Query::insert();
        backlog
            .into_table("rollup_backlog")
            .columns(["execution_id", "seq"])
            .select_from(executions)
            .map_err(|error| DbErr::Custom(error.to_string()))?;
        manager.get_connection().execute(&backlog).await?;
        Ok(())
    }
}

/// No id is all zeros, and no rule is called nothing: that is what stands where there is none.
fn rollup() -> TableCreateStatement {
    let mut key = Index::create();
    KEY.iter().for_each(|column| {
        key.col(*column);
    });
    Table::create()
        .table("rollup")
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

/// Executions whose events up to a number are not in the rollups yet.
fn rollup_backlog() -> TableCreateStatement {
    Table::create()
        .table("rollup_backlog")
        .col(uuid("execution_id").primary_key())
        .col(big_integer("seq"))
        .foreign_key(&mut owned_by("execution", "execution_id"))
        .to_owned()
}
